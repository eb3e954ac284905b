"""Changed worlds: `what_if` reads changes and has Bullet simulate them, `learned` has a model's learned dynamics do it."""
