"""What agents see and do: `observing/` (the screen, its published form, and other views by name), `rewards` by name,
`actions`, a Gymnasium `environment`. What they are is in `contract`; `setups` says what tests them, the `evaluator` lets
them play, `imagination` lets them try shots on levels of their own."""
