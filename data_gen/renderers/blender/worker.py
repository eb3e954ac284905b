"""The worker of the Blender renderer, which runs inside Blender: reads scene files, writes numbered PNG frames.

`renderer.py` starts it as `blender -b --python worker.py -- FOLDER` or, with the bpy wheel, as
`python worker.py -- FOLDER`. It runs in Blender's own Python (3.10 or newer), so it does not import this package and
takes every number from the scene file. Protocol: each line on stdin is the path of a scene file; replies are prefixed
JSON lines (`hello` once, `frame` per frame, then `done` or `error`). An empty line or the end of stdin stops the worker.
Differences between Blender 3.4 and 5.x are detected by feature, except the unit of light and the brightness of the
principled shader, which go by version number.
"""

import contextlib
import itertools
import json
import math
import os
import shutil
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import bpy
from mathutils import Matrix, Vector

PREFIX = "COMPHY "
SENSOR_MM = 32.0
GROUND_SIDE = 120.0
BEVEL = 0.004  # radius of rounded edges: enough for highlights; wider ones make boxes smaller than annotated
AREA_POWER = 1.0 if bpy.app.version < (4, 0) else math.pi / 4  # W watts on area A: radiance W / 4A, from 4.0 W / pi A
# From 4.0 on the principled shader's diffuse part is no longer Disney's, and surfaces that are seen obliquely are darker.
SURFACE_GAIN = 1.0 if bpy.app.version < (4, 0) else 1.04
GPU_BACKENDS = ("OPTIX", "CUDA", "HIP", "METAL", "ONEAPI")

Point = tuple[float, float, float]
Surface = tuple[list[Point], list[Point], list[tuple[int, ...]]]  # vertices, their exact normals, faces


def lathe(profile: list[tuple[float, float, float, float]], segments: int) -> Surface:
    """Surface of revolution about z of a profile of (radius, z, normal radius, normal z), both ends on the axis."""
    turns = [(math.cos(2 * math.pi * k / segments), math.sin(2 * math.pi * k / segments)) for k in range(segments)]
    vertices = [(r * c, r * s, z) for r, z, _, _ in profile for c, s in turns]
    normals = [(nr * c, nr * s, nz) for _, _, nr, nz in profile for c, s in turns]
    faces: list[tuple[int, ...]] = []
    for ring in range(len(profile) - 1):
        low, high = ring * segments, (ring + 1) * segments
        for k in range(segments):
            n = (k + 1) % segments
            if profile[ring][0] == 0.0:
                faces.append((low + k, high + n, high + k))
            elif profile[ring + 1][0] == 0.0:
                faces.append((low + k, low + n, high + k))
            else:
                faces.append((low + k, low + n, high + n, high + k))
    return vertices, normals, faces


def sphere(radius: float) -> Surface:
    """A sphere; the error of its silhouette is at most a twentieth of a pixel."""
    rings = 48
    angles = [math.pi * (i / rings - 0.5) for i in range(1, rings)]
    middle = [(radius * math.cos(a), radius * math.sin(a), math.cos(a), math.sin(a)) for a in angles]
    return lathe([(0.0, -radius, 0.0, -1.0), *middle, (0.0, radius, 0.0, 1.0)], 2 * rings)


def cylinder(radius: float) -> Surface:
    """A cylinder along z, as high as wide, with rounded rims for highlights."""
    steps, inner = 4, radius - BEVEL
    angles = [math.pi / 2 * i / steps for i in range(steps + 1)]
    arc = [(math.sin(a), math.cos(a)) for a in angles]  # from the cap to the side
    bottom = [(inner + BEVEL * s, -inner - BEVEL * c, s, -c) for s, c in arc]
    top = [(r, -z, nr, -nz) for r, z, nr, nz in reversed(bottom)]
    return lathe([(0.0, -radius, 0.0, -1.0), *bottom, *top, (0.0, radius, 0.0, 1.0)], 96)


def cube(half: float) -> Surface:
    """A cube with rounded edges: the octants of a sphere of the bevel's radius, moved to the corners."""
    steps, inner = 3, half - BEVEL
    slopes = [math.tan(math.pi / 4 * i / steps) for i in range(steps + 1)]
    grid = [(-t, -1.0) for t in reversed(slopes)] + [(t, 1.0) for t in slopes]  # 0 occurs twice, once per octant
    vertices: list[Point] = []
    normals: list[Point] = []
    faces: list[tuple[int, ...]] = []
    size = len(grid)
    for axis in range(3):
        for side in (1.0, -1.0):
            start = len(vertices)
            for (a, sign_a), (b, sign_b) in itertools.product(grid, grid):
                normal = Vector(turned((side, a, b), axis)).normalized()
                corner = Vector(turned((side, sign_a, sign_b), axis))
                normals.append(normal[:])
                vertices.append((corner * inner + normal * BEVEL)[:])
            for i, j in itertools.product(range(size - 1), repeat=2):
                at = start + i * size + j
                face = (at, at + size, at + size + 1, at + 1)
                faces.append(face if side > 0 else face[::-1])
    return vertices, normals, faces


def turned(vector: Point, axis: int) -> Point:
    """Cyclic permutation of the coordinates that maps x to `axis`."""
    return vector[-axis:] + vector[:-axis]  # type: ignore[return-value]


SHAPES = {"sphere": sphere, "cylinder": cylinder, "cube": cube}


def add_mesh(name: str, surface: Surface, skin: Any) -> Any:
    """An object of the given surface, shaded with its exact normals."""
    vertices, normals, faces = surface
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    if hasattr(mesh, "use_auto_smooth"):  # before 4.1 custom normals need it
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set_from_vertices(normals)
    mesh.materials.append(skin)
    return link(bpy.data.objects.new(name, mesh))


def link(thing: Any) -> Any:
    bpy.context.scene.collection.objects.link(thing)
    return thing


def empty_nodes(owner: Any) -> Any:
    """The emptied node tree of a material or world; 5.x creates it itself and warns about use_nodes."""
    if owner.node_tree is None:
        owner.use_nodes = True
    owner.node_tree.nodes.clear()
    return owner.node_tree


def shader(tree: Any, kind: str, output: str, values: dict[str, Any]) -> None:
    """Connect one shader node to the output; a key may list an input's names across Blender versions ("new|old").

    Raises `RuntimeError` if the node has none of them.
    """
    node = tree.nodes.new(kind)
    for names, value in values.items():
        known = [name for name in names.split("|") if name in node.inputs]
        if not known:
            raise RuntimeError(f"Expected {kind} to have an input {names} (it has {node.inputs.keys()}).")
        node.inputs[known[0]].default_value = value
    tree.links.new(node.outputs[0], tree.nodes.new(output).inputs["Surface"])


def material(name: str, kind: str, values: dict[str, Any]) -> Any:
    made = bpy.data.materials.new(name)
    shader(empty_nodes(made), kind, "ShaderNodeOutputMaterial", values)
    return made


def finished_material(name: str, rgb: Iterable[float], finish: dict[str, float]) -> Any:
    values = {
        "Base Color": (*(min(1.0, SURFACE_GAIN * level) for level in rgb), 1.0),
        "Metallic": finish["metallic"],
        "Roughness": finish["roughness"],
        "Specular IOR Level|Specular": finish["specular"],
    }
    return material(name, "ShaderNodeBsdfPrincipled", values)


def grey(level: float) -> tuple[float, float, float, float]:
    return (level, level, level, 1.0)


def set_world(radiance: float) -> None:
    """A uniform environment. Rays that miss all objects see it, so importance sampling of it as a light is off."""
    world = bpy.data.worlds.new("world")
    world.cycles.sampling_method = "NONE"
    bpy.context.scene.world = world
    values = {"Color": grey(radiance), "Strength": 1.0}
    shader(empty_nodes(world), "ShaderNodeBackground", "ShaderNodeOutputWorld", values)


def add_light(kind: str, position: Iterable[float], energy: float, size: float) -> None:
    """A light at `position` aimed at the origin; `size` is the side of an area light or the angle of a sun (radians)."""
    data = bpy.data.lights.new(kind, kind)
    data.energy = energy
    setattr(data, "angle" if kind == "SUN" else "size", size)
    lamp = link(bpy.data.objects.new(kind, data))
    lamp.location = Vector(position)
    lamp.rotation_euler = (-lamp.location).to_track_quat("-Z", "Y").to_euler()


def add_surroundings(look: dict[str, Any]) -> None:
    """Add ground, lights and environment."""
    set_world(look["world"])
    for light in look["lights"]:
        add_light("AREA", light["position"], light["watts"] * AREA_POWER, light["size"])
    add_light("SUN", look["sun"]["direction"], look["sun"]["strength"], look["sun"]["angle"])
    s = GROUND_SIDE / 2
    corners = [(-s, -s, 0.0), (s, -s, 0.0), (s, s, 0.0), (-s, s, 0.0)]
    ground = material("ground", "ShaderNodeBsdfDiffuse", {"Color": grey(look["ground"])})
    add_mesh("ground", (corners, [(0.0, 0.0, 1.0)] * 4, [(0, 1, 2, 3)]), ground)


def add_camera(camera: dict[str, Any]) -> None:
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", SENSOR_MM
    data.lens = camera["focal"] * SENSOR_MM / camera["width"]
    data.clip_start, data.clip_end = 0.01, 1000.0
    thing = link(bpy.data.objects.new("camera", data))
    right, down, forward = (Vector(camera[axis]) for axis in ("right", "down", "forward"))
    rotation = Matrix((right, -down, -forward)).transposed()
    thing.matrix_world = Matrix.Translation(camera["position"]) @ rotation.to_4x4()
    scene = bpy.context.scene
    scene.camera = thing
    scene.render.resolution_x, scene.render.resolution_y = camera["width"], camera["height"]
    scene.render.resolution_percentage = 100


def use_gpu() -> None:
    """Enable the first GPU backend that Cycles supports here. Raises `RuntimeError` if there is none."""
    preferences = bpy.context.preferences.addons["cycles"].preferences
    for backend in GPU_BACKENDS:
        try:
            preferences.compute_device_type = backend
        except TypeError:  # not compiled into this build
            continue
        preferences.refresh_devices()
        for device in preferences.devices:
            device.use = device.type == backend
        if any(device.use for device in preferences.devices):
            bpy.context.scene.cycles.device = "GPU"
            return
    raise RuntimeError(f"Expected a GPU that Cycles can use (tried {', '.join(GPU_BACKENDS)}; found none).")


def set_output(render: Any, threads: int) -> None:
    """Write 8-bit PNG without compositing, sequencer or dithering."""
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode = "RGB"
    render.image_settings.color_depth = "8"
    render.image_settings.compression = 10
    render.dither_intensity = 0.0
    render.use_compositing = render.use_sequencer = False
    render.use_persistent_data = True
    if threads:
        render.threads_mode, render.threads = "FIXED", threads


def set_cycles(cycles: Any, samples: int) -> None:
    """Few bounces and clamped indirect light: at few samples per pixel the rest is mostly noise.

    No denoiser (Debian's build has none). One seed for all frames, so that static regions do not flicker. Pixels average
    what is within them, as the ray tracer's do: Blender's own filter blurs outlines.
    """
    cycles.samples = samples
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.seed = 0
    cycles.pixel_filter_type, cycles.filter_width = "BOX", 1.0
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 2
    cycles.sample_clamp_indirect = 1.0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.blur_glossy = 1.0
    if hasattr(cycles, "use_light_tree"):  # default from 3.5; with few lights it only adds noise
        cycles.use_light_tree = False


def set_engine(job: dict[str, Any]) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    set_output(scene.render, job["threads"])
    set_cycles(scene.cycles, job["samples"])
    scene.view_settings.view_transform = "Standard"  # the default moved from Filmic to AgX in 4.0
    scene.view_settings.look = "None"
    scene.view_settings.exposure, scene.view_settings.gamma = 0.0, 1.0
    if job["device"] == "gpu":
        use_gpu()


def build(job: dict[str, Any]) -> list[Any]:
    """Build the scene from factory settings, so that no video depends on earlier ones; returns the objects."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    set_engine(job)
    add_camera(job["camera"])
    add_surroundings(job["look"])
    things = []
    for i, spec in enumerate(job["objects"]):
        name = f"object {i}"
        skin = finished_material(name, spec["rgb"], spec["finish"])
        thing = add_mesh(name, SHAPES[spec["shape"]](job["radius"]), skin)
        thing.rotation_mode = "QUATERNION"
        things.append(thing)
    return things


def render(job: dict[str, Any], channel: TextIO) -> None:
    things = build(job)
    for frame, poses in enumerate(job["poses"]):
        for thing, pose in zip(things, poses, strict=True):
            thing.location = pose[:3]
            thing.rotation_quaternion = pose[3:]
        bpy.context.scene.render.filepath = str(Path(job["folder"]) / f"{frame:05d}.png")
        bpy.ops.render.render(write_still=True)
        say(channel, "frame", frame=frame)


def say(channel: TextIO, event: str, **values: Any) -> None:
    """Send one reply. Fails if the host process is gone, which stops the worker within a frame."""
    channel.write(PREFIX + json.dumps({"event": event, **values}) + "\n")
    channel.flush()


def private_stdout() -> TextIO:
    """Reserve the original stdout for replies; from now on, whatever Blender prints goes to stderr (the log)."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    channel.write("\n")  # terminates a line that Blender may have begun
    return channel


def serve(channel: TextIO) -> None:
    say(channel, "hello", version=list(bpy.app.version), pid=os.getpid())
    for line in sys.stdin:
        if not line.strip():
            return
        try:
            render(json.loads(Path(line.strip()).read_text(encoding="utf-8")), channel)
        except Exception:
            say(channel, "error", message=traceback.format_exc())
        else:
            say(channel, "done")


def main() -> None:
    with contextlib.suppress(BrokenPipeError):
        serve(private_stdout())
    shutil.rmtree(sys.argv[sys.argv.index("--") + 1], ignore_errors=True)  # if the host died before removing it


main()
