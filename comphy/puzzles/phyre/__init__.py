"""PHYRE: place one or two balls so that two bodies touch for three seconds."""
