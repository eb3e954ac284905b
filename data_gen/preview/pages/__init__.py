"""The preview page: one HTML file with its `style` and its `questions`."""
