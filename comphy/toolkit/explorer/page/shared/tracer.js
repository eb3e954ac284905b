// Draws frames of a scene with a shader: the ray tracer of data_gen/renderers/raytrace, formula by formula, so that sets
// without videos, other worlds and the hidden future look like the videos. Null where the browser has no WebGL.

const MOST = 8; // objects
const KINDS = { sphere: 0, cube: 1, cylinder: 2 };
const SLOW = 45; // milliseconds for a frame of a film from which on fewer pixels are drawn
const QUICK = 12;
const SCALES = [0.5, 1, 2]; // pixels drawn for one shown

const VERTEX = "attribute vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }";

const FRAGMENT = `
precision highp float;
uniform int count;
uniform vec3 place[${MOST}], albedo[${MOST}];
uniform mat3 turn[${MOST}];
uniform float kind[${MOST}], metal[${MOST}];
uniform vec3 eye, right, down, forward;
uniform vec2 size;
uniform float focal;

const float FAR = 1.0e6, TINY = 1.0e-7, R = 0.2;
vec3 lightPlace[4];
float lightStrength[4], lightRadius[4];

void setLights() {
  lightPlace[0] = vec3(6.45, -2.91, 4.26); lightStrength[0] = 290.0 / 12.566371; lightRadius[0] = 0.7 / 1.7724539;
  lightPlace[1] = vec3(-4.67, -4.01, 3.01); lightStrength[1] = 190.0 / 12.566371; lightRadius[1] = 0.8 / 1.7724539;
  lightPlace[2] = vec3(-1.17, 2.65, 5.82); lightStrength[2] = 210.0 / 12.566371; lightRadius[2] = 1.0 / 1.7724539;
  lightPlace[3] = 100.0 * normalize(vec3(11.66, -6.63, 25.82)); lightStrength[3] = 6000.0 / 3.1415927; lightRadius[3] = 10.0;
}

float ease(float x) { x = clamp(x, 0.0, 1.0); return x * x * (3.0 - 2.0 * x); }
float square(float x) { return x * x; }
float edge(float x) { return square(clamp((x - 0.9) / 0.1, 0.0, 1.0)); }
bool isCube(float k) { return k > 0.5 && k < 1.5; }
bool isCylinder(float k) { return k > 1.5; }

vec2 slab(float origin, float direction) {
  float inverse = 1.0 / (abs(direction) < TINY ? TINY : direction);
  return vec2(-origin * inverse - abs(inverse), -origin * inverse + abs(inverse));
}

float meet(float k, vec3 o, vec3 d) {
  vec2 z = slab(o.z, d.z);
  float nearest, farthest, inside = 1.0;
  if (isCube(k)) {
    vec2 x = slab(o.x, d.x), y = slab(o.y, d.y);
    nearest = max(x.x, y.x); farthest = min(x.y, y.y);
  } else {
    float whole = isCylinder(k) ? 0.0 : 1.0;
    float a = max(d.x * d.x + d.y * d.y + whole * d.z * d.z, TINY);
    float b = o.x * d.x + o.y * d.y + whole * o.z * d.z;
    inside = b * b - a * (o.x * o.x + o.y * o.y + whole * o.z * o.z - 1.0);
    float root = sqrt(max(inside, 0.0));
    nearest = (-b - root) / a; farthest = (root - b) / a;
  }
  nearest = max(nearest, z.x); farthest = min(farthest, z.y);
  return nearest < farthest && nearest > 0.0 && inside > 0.0 ? nearest : FAR;
}

vec3 surface(float k, vec3 p, float bulge) {
  if (isCube(k)) return normalize(vec3(sign(p.x) * edge(abs(p.x)), sign(p.y) * edge(abs(p.y)), sign(p.z) * edge(abs(p.z))) + bulge * p);
  if (isCylinder(k)) {
    float radius = sqrt(max(p.x * p.x + p.y * p.y, TINY));
    return normalize(vec3(p.xy * (edge(radius) / radius + bulge), sign(p.z) * edge(abs(p.z)) + bulge * p.z));
  }
  return normalize(p);
}

float gapTo(float k, vec3 p) {
  vec3 q = abs(p);
  if (isCube(k)) return length(max(q - 1.0, 0.0));
  if (isCylinder(k)) return length(max(vec2(length(p.xy) - 1.0, q.z - 1.0), 0.0));
  return length(p) - 1.0;
}

// Share of a light that passes an object on the way from p to end, both in its frame.
float passing(float k, vec3 p, vec3 end, float radius, float blur) {
  vec3 d = end - p, m = cross(p, end);
  float inverse2 = 1.0 / dot(d, d), inverse = sqrt(inverse2);
  float share = -dot(p, d) * inverse2;
  if (share <= 0.0) return 1.0;
  vec3 s = end * end;
  float length2 = max(s.x + s.y + s.z, TINY);
  float gap;
  if (isCube(k)) {
    vec3 per = sqrt(min(length2 / max(vec3(s.y + s.z, s.x + s.z, s.x + s.y), TINY), 400.0));
    vec3 a = abs(d), n = abs(m);
    gap = max(max((n.x - a.y - a.z) * per.x, (n.y - a.x - a.z) * per.y), (n.z - a.x - a.y) * per.z) * inverse;
  } else {
    float perZ = sqrt(min(length2 / max(s.x + s.y, TINY), 400.0));
    float sine = isCylinder(k) ? sqrt((s.x + s.y) / length2) : 0.0;
    float secant = isCylinder(k) ? 1.0 / max(sqrt(s.z / length2), 0.05) : 1.0;
    float across2 = square(m.z * perZ) * inverse2;
    float up = sqrt(max(dot(m, m) * inverse2 - across2, 0.0));
    float height2 = square(max(up - sine, 0.0) * secant);
    float reach2 = max(across2 + height2, TINY);
    gap = (sqrt(reach2) - 1.0) * (across2 + height2 / secant) / reach2;
  }
  return 1.0 - ease(0.5 - 0.5 * gap / (radius / R * share + blur));
}

vec3 encode(vec3 light) {
  vec3 excess = max(light - 0.8, 0.0);
  vec3 linear = clamp(light, 0.0, 0.8) + excess * 0.2 / (excess + 0.2);
  vec3 low = 12.92 * linear, high = 1.055 * pow(max(linear, 1.0e-4), vec3(1.0 / 2.4)) - 0.055;
  return mix(high, low, vec3(lessThanEqual(linear, vec3(0.0031308))));
}

void main() {
  setLights();
  vec2 pixel = vec2(gl_FragCoord.x, size.y - gl_FragCoord.y);
  vec2 offset = (pixel - 0.5 * size) / focal;
  vec3 direction = forward + offset.x * right + offset.y * down;
  vec3 view = normalize(direction);
  float ground = -eye.z / min(direction.z, -1.0e-3), nearest = FAR;
  int owner = -1;
  vec3 normal = vec3(0.0, 0.0, 1.0), color = vec3(0.0);
  float shiny = 0.0;
  for (int k = 0; k < ${MOST}; k++) {
    if (k >= count) break;
    vec3 o = (eye - place[k]) * turn[k] / R, d = direction * turn[k] / R;
    float t = meet(kind[k], o, d);
    if (t < nearest && t < ground) {
      nearest = t; owner = k; color = albedo[k]; shiny = metal[k];
      normal = turn[k] * surface(kind[k], o + t * d, 0.15 * metal[k]);
    }
  }
  float t = min(nearest, ground);
  vec3 point = eye + t * direction;
  float facing = -dot(view, normal);
  vec3 mirror = view + 2.0 * facing * normal;
  float openness = 1.0, fall = max(point.z, 0.0) / max(-mirror.z, 0.02), blur = t / focal / R;
  vec4 received = vec4(1.0);
  float metDistance = FAR, metCover = 0.0, metOpenness = 1.0;
  vec3 met = vec3(0.0);
  for (int k = 0; k < ${MOST}; k++) {
    if (k >= count) break;
    if (k == owner) continue;
    vec3 local = (point - place[k]) * turn[k] / R;
    float closeness = clamp(1.0 - gapTo(kind[k], local) / 2.4, 0.0, 1.0);
    openness *= 1.0 - 0.62 * closeness * closeness * closeness;
    for (int i = 0; i < 4; i++) {
      vec3 end = (lightPlace[i] - place[k]) * turn[k] / R;
      float passed = passing(kind[k], local, end, lightRadius[i], blur);
      if (i == 0) received.x *= passed; else if (i == 1) received.y *= passed;
      else if (i == 2) received.z *= passed; else received.w *= passed;
    }
    if (shiny > 0.5) {
      vec3 d = mirror * turn[k] / R;
      float at = meet(kind[k], local, d);
      if (at < metDistance && (mirror.z >= 0.0 || at < fall)) {
        metDistance = at;
        met = albedo[k] * (0.15 + 0.55 * clamp((point.z + at * mirror.z) / (2.0 * R), 0.0, 1.0));
        metCover = ease((5.0 - at / R) / 2.5);
      }
      float near = clamp(1.0 - gapTo(kind[k], local + fall * d) / 2.4, 0.0, 1.0);
      metOpenness *= 1.0 - 0.8 * ease((2.6 - fall / R) / 1.5) * near * near * near;
    }
  }
  float height = clamp(point.z / (2.0 * R), 0.0, 1.0), below = 0.43 * (0.35 + 0.65 * height);
  float diffuse = owner < 0 ? 0.25 * openness : mix(below, 0.25, 0.5 + 0.5 * normal.z) * openness;
  float highlight = 0.0;
  for (int i = 0; i < 4; i++) {
    vec3 away = lightPlace[i] - point, towards = normalize(away);
    float radiance = lightStrength[i] * max(dot(towards, normalize(lightPlace[i])), 0.0) / dot(away, away);
    radiance *= i == 0 ? received.x : i == 1 ? received.y : i == 2 ? received.z : received.w;
    float lambert = dot(normal, towards);
    diffuse += radiance * max(lambert, 0.0);
    if (owner >= 0) {
      float halo = pow(max(1.0 + 1.5 * (dot(mirror, towards) - 1.0), 0.0), 8.0);
      float shine = shiny > 0.5 ? 1.1 * halo + 8.0 * pow(halo, 16.0) : 0.12 * halo;
      highlight += radiance * shine * ease(lambert * 8.0);
    }
  }
  if (owner < 0) {
    gl_FragColor = vec4(encode(vec3(0.4 * diffuse * (0.6 + 0.4 * openness))), 1.0);
    return;
  }
  float grazing = square(square(1.0 - clamp(facing, 0.0, 1.0)));
  vec2 landing = point.xy + fall * mirror.xy;
  float lit = 0.43 * metOpenness / (1.0 + dot(landing, landing) / 20.25);
  float sky = 0.08 + 1.02 * square(1.0 - clamp(mirror.z, 0.0, 1.0));
  vec3 mirrored = mix(vec3(mix(lit, sky, ease(0.5 + mirror.z / 0.06))), met, metCover);
  vec3 polish = 0.01 + (1.0 + 0.7 * (1.0 - (color.r + color.g + color.b) / 3.0)) * color;
  polish += 0.6 * (1.0 - polish) * grazing;
  vec3 shine = shiny > 0.5 ? polish * (mirrored + highlight) : vec3(0.03 * grazing + highlight);
  gl_FragColor = vec4(encode((shiny > 0.5 ? 0.2 : 1.0) * diffuse * color + shine), 1.0);
}`;

class Tracer {
  constructor(canvas, gl) {
    Object.assign(this, { canvas, gl, level: 1 });
    this.program = linking(gl);
    this.places = new Map();
  }

  // Waits for the shader, which is compiled beside what else the page does.
  finish() {
    const { gl } = this;
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(this.program) || "no shader");
    gl.useProgram(this.program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
    const corner = gl.getAttribLocation(this.program, "corner");
    gl.enableVertexAttribArray(corner);
    gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
  }

  // Draws objects in poses [x, y, z, qx, qy, qz, qw] into a 2D context of a canvas, which they fill. `scale`: pixels drawn
  // for one shown; without it, as many as the machine draws in time for a film.
  draw(context, camera, objects, poses, scale = SCALES[this.level]) {
    const { gl, canvas } = this;
    const { width, height } = context.canvas;
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    const begin = performance.now();
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    gl.viewport(0, 0, w, h);
    const count = Math.min(objects.length, MOST);
    gl.uniform1i(this.place("count"), count);
    for (const name of ["right", "down", "forward"]) gl.uniform3fv(this.place(name), camera[name]);
    gl.uniform3fv(this.place("eye"), camera.position);
    gl.uniform2f(this.place("size"), w, h);
    gl.uniform1f(this.place("focal"), (camera.focal * w) / camera.width);
    if (count) this.setObjects(objects.slice(0, count), poses);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    context.drawImage(canvas, 0, 0, width, height);
    this.took = performance.now() - begin;
    if (scale === SCALES[this.level]) this.adapt(this.took, width * height);
  }

  setObjects(objects, poses) {
    const { gl } = this;
    gl.uniform3fv(this.place("place"), objects.flatMap((_, k) => poses[k].slice(0, 3)));
    gl.uniform3fv(this.place("albedo"), objects.flatMap(({ rgb }) => rgb.map(linear)));
    gl.uniformMatrix3fv(this.place("turn"), false, objects.flatMap((_, k) => columns(poses[k].slice(3))));
    gl.uniform1fv(this.place("kind"), objects.map(({ shape }) => KINDS[shape]));
    gl.uniform1fv(this.place("metal"), objects.map(({ material }) => (material === "metal" ? 1 : 0)));
  }

  // Fewer pixels where the machine is slow, more where it is quick. Small pictures say little of its speed.
  adapt(took, pixels) {
    if (pixels < 60000) return;
    if (took > SLOW && this.level > 0) this.level -= 1;
    else if (took < QUICK && this.level < SCALES.length - 1 && !this.wasSlow) this.level += 1;
    if (took > SLOW) this.wasSlow = true;
  }

  place(name) {
    if (!this.places.has(name)) this.places.set(name, this.gl.getUniformLocation(this.program, name));
    return this.places.get(name);
  }
}

function linear(byte) {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

// A rotation as the columns of its matrix.
export function columns([x, y, z, w]) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w),
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y),
  ];
}

function linking(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

let begun;
let found;

// Begins with the shader, so that the first picture need not wait for it.
export function beginTracer() {
  if (begun !== undefined) return;
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl", { antialias: false, preserveDrawingBuffer: true });
  begun = gl ? new Tracer(canvas, gl) : null;
}

export const tracerIsReady = () => found !== undefined;

// The one tracer of the page; null where there is no WebGL.
export function tracer() {
  if (found !== undefined) return found;
  try {
    beginTracer();
    begun?.finish();
    found = begun;
  } catch {
    found = null;
  }
  return found;
}
