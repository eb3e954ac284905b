"""Two charged balls meet on a table: build a world, run it, read what happened.

python examples/simulate.py
"""

import comphy


def main() -> None:
    smooth = comphy.Surface(friction=0.1, restitution=0.8)
    ball = comphy.Sphere(0.2)
    bodies = [
        comphy.Body(ball, mass=1.0, position=(-1.0, 0.0, 0.2), velocity=(2.0, 0.0, 0.0), surface=smooth, charge=1.0),
        comphy.Body(ball, mass=5.0, position=(1.0, 0.0, 0.2), surface=smooth, charge=-1.0),
        comphy.Body(comphy.HalfSpace(), surface=smooth),  # the table; mass 0 stays where it is
    ]
    with comphy.World(bodies, timestep=1 / 240, coulomb=2.0) as world:
        rollout = world.run(frames=50, steps_per_frame=10)
    for frame in range(0, len(rollout), 10):
        left, right = rollout.positions[frame, :2, 0]
        print(f"frame {frame:2}: the light ball at x = {left:+.2f}, the heavy one at {right:+.2f}")
    for hit in rollout.collisions:
        if hit.pair == (0, 1):
            print(f"they collide at step {hit.step} with an impulse of {hit.impulse:.2f}")


if __name__ == "__main__":
    main()
