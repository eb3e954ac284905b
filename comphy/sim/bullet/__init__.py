"""The engine. Bullet's conventions and quirks are converted here and nowhere else; `engine` alone imports pybullet.

Read `engine` (one client, which worlds borrow in turn), `bodies` (how a client is set up and bodies are made in it, of
`shapes`) and `scene` (bodies that are rewound, stepped and read, under the forces of `coulomb`).

- Friction and restitution: Bullet acts with the product of the two bodies' numbers, so each body gets the square root
  of its stated value and the product is the geometric mean that `Surface` promises. Bullet ignores
  restitution below a speed threshold; on tabletops it is set to zero.
- Tabletop worlds use Bullet's plain rigid bodies: their damping is the documented (1 - d)^t. The default multibody
  formulation damps by d * v * (1 + |v|) instead, and is half as fast.
- Planar worlds use the same rigid bodies with a vast inertia about the two off-plane axes: they tilt by less than 1e-7
  degrees and stay in the plane. pybullet sets an inertia together with the mass of the same call, or with zero, which
  turns the state to NaN: both are given.
- Rewinding: a saved state does not bring back the first run bit by bit. Bullet's usual collision detection keeps pairs
  that have parted for a while, which ones depends on earlier runs, and they change the order in the solver. Tabletop
  worlds are built again in the same, already connected client. Planar worlds use the simple kind that compares all
  boxes and keeps nothing; below some twenty bodies it is also the faster one.
- Planar worlds set up alike follow each other in a client without emptying it, which takes as long as a short run: the
  last one's bodies are removed, and shapes are kept. The bits are those of a new client.
- A sleeping body keeps its box in the collision detection, even if it is placed elsewhere, and grows it to both places:
  what comes near the box wakes the body. So sleepers are moved out of the plane and back only, never across it.
- Sleep: Bullet puts bodies to sleep after two slow seconds at any step. Here they sleep when told to, and only wake by
  themselves: the threshold below which they would fall asleep is zero. A body that wakes within a call of many steps
  would miss gravity until its end, since Bullet applies it once per call.
- Many steps in one call are the same bits as single ones, if their number is a power of two: Bullet divides the time.
- Contacts are reported up to the breaking threshold before bodies touch; only those that carry force count.
- Tabletop bounces: Bullet lets a contact brake bodies before they meet, which eats most of the restitution, and pushes
  overlapping bodies apart by adding speed, which fakes some. There, contacts act from touch on and overlaps are undone
  without adding speed. Planar worlds rest on contacts that act a little before touch, or what stands would tremble, and
  do not bounce below 1 m/s, as the engines of the planar benchmarks do not. Bodies with continuous collision detection
  (CCD) are the exception: contacts act on them from touch on, and the engine sweeps them along their way, or they would
  be braked early or pass through.
- Tabletop friction: the solver's default accuracy leaves sliding objects a spin of up to 0.2 rad/s out of nothing.
"""

from comphy.sim.bullet.engine import Engine as Engine
