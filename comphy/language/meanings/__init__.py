"""What a question means, apart from its words.

Read `descriptions` (of objects, moments and counterfactual premises), `meaning` (of a question, with its program),
`from_program` (the way back) and `random_meanings` (to learn from).
"""
