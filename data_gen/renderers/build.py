"""Picks a renderer by name. Engines are imported here, at first use, and nowhere earlier."""

from comphy.choices import RendererName
from data_gen.config import DatasetConfig
from data_gen.renderers.contract import Renderer


def check_renderer(name: RendererName, config: DatasetConfig) -> None:
    """Raises `ComphyError` if this machine lacks what the renderer needs, before any work is begun."""
    if name is RendererName.RAYTRACE:
        from data_gen.renderers.raytrace.renderer import torch_device

        torch_device(config.raytrace.device)
    if name is RendererName.BLENDER:
        from data_gen.renderers.blender.renderer import find_blender

        find_blender()


def build_renderer(name: RendererName, config: DatasetConfig, threads: int) -> Renderer | None:
    """The renderer, or None for `none`. `threads` bounds its use of cores: workers share them."""
    if name is RendererName.RAYTRACE:
        import torch

        from data_gen.renderers.raytrace.renderer import RaytraceRenderer, RaytraceSettings

        torch.set_num_threads(threads)
        options = config.raytrace
        return RaytraceRenderer(
            RaytraceSettings(device=options.device, samples=options.samples, shadows=options.shadows)
        )
    if name is RendererName.BLENDER:
        from data_gen.renderers.blender.renderer import BlenderRenderer, BlenderSettings

        return BlenderRenderer(
            BlenderSettings(samples=config.blender.samples, recycle_every=config.blender.recycle_every, threads=threads)
        )
    return None
