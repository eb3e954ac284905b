"""The learned modules as the paper has them (5.1.3, 5.1.4), chosen by `model.inferencer` and `model.dynamics`: what ours
are measured against."""
