"""Vision-language models small enough to be made in a test, in the formats of `transformers`. They have learned nothing."""

from pathlib import Path

import torch
from transformers import (
    CLIPImageProcessor,
    CLIPVisionConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
    Qwen2VLConfig,
    Qwen2VLForConditionalGeneration,
    Qwen2VLImageProcessor,
    Qwen2VLProcessor,
    Qwen2VLVideoProcessor,
)

from tests.support.tiny_language_model import byte_tokenizer

IMAGE, VIDEO, START, END = "<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>"
_TEXTS = ["Question: What color is the cube?", "A: correct or wrong", "Target video: 16 frames"]
_TURNS = (
    "{% for m in messages %}[{{ m.role }}]{% for part in m.content %}"
    "{% if part.type == 'image' %}%IMAGE%{% elif part.type == 'video' %}%VIDEO%{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"
)
_TEXT_SIZE = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
    "initializer_range": 0.3,
}


def _tokenizer() -> PreTrainedTokenizerFast:
    tokenizer = byte_tokenizer(_TEXTS, vocabulary=300)
    tokenizer.add_special_tokens({"additional_special_tokens": [IMAGE, VIDEO, START, END]})
    return tokenizer


def save_image_model(folder: Path, seed: int = 0) -> Path:
    """A LLaVA, which takes pictures alone."""
    tokenizer = _tokenizer()
    size = {"shortest_edge": 16}
    images = CLIPImageProcessor(size=size, crop_size={"height": 16, "width": 16})
    turns = _TURNS.replace("%IMAGE%", IMAGE).replace("%VIDEO%", "{{ raise_exception('no videos') }}")
    processor = LlavaProcessor(
        images,
        tokenizer,
        patch_size=8,
        vision_feature_select_strategy="default",
        chat_template=turns,
        image_token=IMAGE,
        num_additional_image_tokens=1,
    )
    vision = CLIPVisionConfig(
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=16,
        patch_size=8,
        projection_dim=16,
    )
    text = LlamaConfig(vocab_size=len(tokenizer), eos_token_id=tokenizer.eos_token_id, bos_token_id=None, **_TEXT_SIZE)
    torch.manual_seed(seed)
    model = LlavaForConditionalGeneration(
        LlavaConfig(vision_config=vision, text_config=text, image_token_index=tokenizer.convert_tokens_to_ids(IMAGE))
    )
    return _saved(model, processor, folder)


def save_video_model(folder: Path, seed: int = 0) -> Path:
    """A Qwen2-VL, which takes pictures and videos."""
    tokenizer = _tokenizer()
    turns = _TURNS.replace("%IMAGE%", START + IMAGE + END).replace("%VIDEO%", START + VIDEO + END)
    pixels = {"min_pixels": 28 * 28, "max_pixels": 28 * 28 * 2, "patch_size": 14, "merge_size": 2}
    processor = Qwen2VLProcessor(
        Qwen2VLImageProcessor(**pixels), tokenizer, Qwen2VLVideoProcessor(**pixels), chat_template=turns
    )
    numbers = [tokenizer.convert_tokens_to_ids(token) for token in (IMAGE, VIDEO, START, END)]
    names = ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id")
    rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [1, 1, 2]}
    text = {"vocab_size": len(tokenizer), "eos_token_id": tokenizer.eos_token_id, "rope_parameters": rope, **_TEXT_SIZE}
    vision = {"depth": 1, "embed_dim": 16, "hidden_size": 16, "num_heads": 2, "mlp_ratio": 1, "patch_size": 14}
    torch.manual_seed(seed)
    config = Qwen2VLConfig(text_config=text, vision_config=vision, **dict(zip(names, numbers, strict=True)))
    return _saved(Qwen2VLForConditionalGeneration(config), processor, folder)


def _saved(model: torch.nn.Module, processor: object, folder: Path) -> Path:
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
