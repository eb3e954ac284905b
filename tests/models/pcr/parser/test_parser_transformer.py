"""The parser's transformer against Hugging Face's BART, whose parameters it shares the names of."""

import torch
from transformers import BartConfig
from transformers.models.bart.modeling_bart import BartDecoder, BartEncoder

from models.pcr.parser.transformer import Decoder, Encoder, TransformerSize

SIZE = TransformerSize(width=16, heads=4, feed_forward=32, positions=12, dropout=0.1, initial=0.5)
TOKENS = 7
BART = BartConfig(
    vocab_size=TOKENS,
    max_position_embeddings=SIZE.positions,
    d_model=SIZE.width,
    encoder_layers=2,
    decoder_layers=2,
    encoder_attention_heads=SIZE.heads,
    decoder_attention_heads=SIZE.heads,
    encoder_ffn_dim=SIZE.feed_forward,
    decoder_ffn_dim=SIZE.feed_forward,
    activation_function="relu",
    pad_token_id=None,
)


def test_it_is_bart():
    torch.manual_seed(0)
    encoder, decoder = Encoder(SIZE, 2).eval(), Decoder(SIZE, 2, TOKENS).eval()
    their_encoder, their_decoder = BartEncoder(BART).eval(), BartDecoder(BART).eval()
    weights = encoder.state_dict()
    del weights["embed_tokens.weight"]  # ours has one, as parsers of the toolkit were saved; neither uses it
    assert their_encoder.load_state_dict(weights, strict=False).missing_keys == ["embed_tokens.weight"]
    their_decoder.load_state_dict(decoder.state_dict())

    embeddings, there = torch.randn(3, 5, SIZE.width), torch.arange(5) < torch.tensor([[5], [3], [1]])
    states = encoder(embeddings, there)
    their_states = their_encoder(inputs_embeds=embeddings, attention_mask=there.long()).last_hidden_state
    torch.testing.assert_close(states[there], their_states[there])

    tokens = torch.randint(TOKENS, (3, 6))
    found, _ = decoder(tokens, states, there, None)
    theirs = their_decoder(tokens, encoder_hidden_states=states, encoder_attention_mask=there.long()).last_hidden_state
    torch.testing.assert_close(found, theirs)


def test_token_by_token_is_the_same_as_all_at_once():
    torch.manual_seed(1)
    decoder = Decoder(SIZE, 2, TOKENS).eval()
    states, there, tokens = torch.randn(2, 4, SIZE.width), torch.ones(2, 4, dtype=torch.bool), torch.randint(7, (2, 5))
    whole, _ = decoder(tokens, states, there, None)
    cache, steps = None, []
    for step in range(5):
        found, cache = decoder(tokens[:, step : step + 1], states, there, cache)
        steps.append(found)
    torch.testing.assert_close(torch.cat(steps, dim=1), whole)
