"""The Physical Concept Reasoner."""
