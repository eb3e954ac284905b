from models.questions.padding import pad


def test_rows_are_padded_and_cut_to_the_longest():
    tokens, lengths = pad([[5, 6, 7], [8], []])
    assert tokens.tolist() == [[5, 6, 7], [8, 0, 0], [0, 0, 0]]
    assert lengths.tolist() == [3, 1, 1]
