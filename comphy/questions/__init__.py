"""Questions about video sets: templates, phrasing, choices, evidence, balance."""
