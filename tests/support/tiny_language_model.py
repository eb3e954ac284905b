"""Tokenizers and language models small enough to be made in a test, in the formats of `transformers`."""

from collections.abc import Sequence

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

END, PAD = "<|end|>", "<|pad|>"
ALPHABET = sorted(set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_ ?.,:()'\n0123456789"))


def byte_tokenizer(texts: Sequence[str], vocabulary: int = 700) -> PreTrainedTokenizerFast:
    """Byte-level BPE that merges over spaces, so that one token can have several words of a program."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END, PAD],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    return _trained(tokenizer, trainer, texts)


def metaspace_tokenizer(texts: Sequence[str], vocabulary: int = 400) -> PreTrainedTokenizerFast:
    """As Llama's first: words have a mark for the space before them, which the decoder drops at the start."""
    tokenizer = Tokenizer(models.BPE(unk_token=PAD))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END, PAD],
        initial_alphabet=["▁" if letter == " " else letter for letter in ALPHABET],
        show_progress=False,
    )
    return _trained(tokenizer, trainer, texts)


def _trained(tokenizer: Tokenizer, trainer: trainers.BpeTrainer, texts: Sequence[str]) -> PreTrainedTokenizerFast:
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=PAD)


def random_model(
    tokenizer: PreTrainedTokenizerFast, seed: int, width: int = 16, spread: float = 0.3
) -> GPT2LMHeadModel:
    """A GPT-2 that has learned nothing; `spread` is the scale of its weights."""
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_positions=2048,
        n_embd=width,
        n_layer=1,
        n_head=2,
        initializer_range=spread,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        attn_pdrop=0.0,
        embd_pdrop=0.0,
        resid_pdrop=0.0,
    )
    return GPT2LMHeadModel(config)


def learn_by_heart(
    model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerFast, pairs: dict[str, str], steps: int
) -> None:
    """Train a model to continue each prompt by its answer."""
    rows = [
        (tokenizer.encode(prompt), [*tokenizer.encode(answer), tokenizer.eos_token_id])
        for prompt, answer in pairs.items()
    ]
    longest = max(len(prompt) + len(answer) for prompt, answer in rows)
    tokens = torch.full((len(rows), longest), tokenizer.pad_token_id)
    labels = torch.full_like(tokens, -100)
    for row, (prompt, answer) in enumerate(rows):
        end = len(prompt) + len(answer)
        tokens[row, :end] = torch.tensor(prompt + answer)
        labels[row, len(prompt) : end] = torch.tensor(answer)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(steps):
        loss = model(input_ids=tokens, attention_mask=(tokens != tokenizer.pad_token_id).long(), labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
