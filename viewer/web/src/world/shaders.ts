// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How things are drawn. Colours leave premultiplied: alpha 1 covers what is behind, alpha 0 only adds light.

const kPlace = `
precision highp float;
uniform mat4 viewProjection;
uniform vec3 origin, unit;  // A place is origin + unit * (px, py, pz).
uniform float pixelScale;   // Pixels of a length of 1 at w = 1.
uniform float lengthOfAll, longest, minPixels;
uniform bool hasSize;
in float px, py, pz, colour, size;
vec3 place() { return origin + unit * vec3(px, py, pz); }
float lengthHere(float w) {
  float l = hasSize ? size / 255.0 * longest : lengthOfAll;
  return max(l, minPixels * w / pixelScale);
}
uniform sampler2D palette;
vec3 paint() { return texelFetch(palette, ivec2(int(colour + 0.5), 0), 0).rgb; }
`;

const kHead = `
in vec4 heading;
`;

/** Marks that look somewhere: ships, darts. */
export const kSolidVertex = `${kPlace}${kHead}
in vec3 corner, facet;
in float part;
out vec3 tint, normal, ray;
out float kind;
uniform vec3 eye;
uniform float flat2d;
void main() {
  vec3 at = place();
  vec4 centre = viewProjection * vec4(at, 1.0);
  float l = lengthHere(centre.w);
  float n = length(heading.xyz);
  vec3 f = n > 0.0 ? heading.xyz / n : vec3(1.0, 0.0, 0.0);
  vec3 up = abs(f.z) > 0.98 ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
  vec3 r = normalize(cross(up, f)), u = cross(f, r);
  vec3 w = at + l * (f * corner.x + r * corner.y + u * corner.z * (1.0 - flat2d));
  normal = f * facet.x + r * facet.y + u * facet.z;
  tint = paint();
  kind = part;
  ray = eye - w;
  gl_Position = viewProjection * vec4(w, 1.0);
}`;

export const kSolidFragment = `
precision highp float;
in vec3 tint, normal, ray;
in float kind;
out vec4 result;
uniform float lightTheme, flat2d, engines;
void main() {
  if (kind > 1.5) {
    float left = 3.0 - kind;
    vec3 fire = mix(tint, vec3(0.72, 0.9, 1.0), 0.35 + 0.65 * left) * left * left * 1.3 * engines;
    float cover = lightTheme * left * 0.8 * engines;
    result = vec4(mix(fire, tint * cover, lightTheme), cover);
    return;
  }
  vec3 n = normalize(normal), v = normalize(ray);
  vec3 sun = normalize(vec3(-0.45, -0.35, 0.82));
  float sunlight = max(dot(n, sun), 0.0), sky = 0.5 + 0.5 * n.z;
  float rim = pow(1.0 - abs(dot(n, v)), 3.0);
  float gleam = pow(max(dot(n, normalize(sun + v)), 0.0), 24.0);
  vec3 base = kind > 0.5 ? mix(tint * 0.32, vec3(0.05, 0.07, 0.1), 0.35) : mix(tint, vec3(0.9), 0.06);
  vec3 lit = base * (0.30 + 0.22 * sky + 0.72 * sunlight) + tint * rim * 0.25 + vec3(0.35) * gleam;
  vec3 even = base * (0.8 + 0.25 * sunlight);
  result = vec4(mix(lit, even, max(flat2d, 0.35 * lightTheme)), 1.0);
}`;

/** Rocks turn with their place, so that no two look alike. Places come rounded: the turn must be smooth in them. */
export const kRockVertex = `${kPlace}
in vec3 corner, facet;
in float part;
out vec3 tint, normal, local;
uniform vec4 leftOut;  // A place, and how far around it rocks have triangles of their own.
mat3 turn(vec3 a) {
  vec3 s = sin(a), c = cos(a);
  return mat3(c.z, s.z, 0.0, -s.z, c.z, 0.0, 0.0, 0.0, 1.0) * mat3(c.y, 0.0, -s.y, 0.0, 1.0, 0.0, s.y, 0.0, c.y) *
         mat3(1.0, 0.0, 0.0, 0.0, c.x, s.x, 0.0, -s.x, c.x);
}
void main() {
  vec3 at = place();
  vec4 centre = viewProjection * vec4(at, 1.0);
  float l = lengthHere(centre.w);
  mat3 m = turn(at.yzx * 4.0 / max(l, 1e-9));
  vec3 stretch = 1.0 + 0.14 * sin(at.zxy * 3.0 / max(l, 1e-9));
  local = corner;
  normal = m * (facet / stretch);
  tint = paint();
  gl_Position = viewProjection * vec4(at + m * (corner * stretch) * l, 1.0);
  // Places come rounded: the first one that is not told must stay.
  if (distance(at, leftOut.xyz) < leftOut.w - 2.0 * unit.x) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const kRockFragment = `
precision highp float;
in vec3 tint, normal, local;
out vec4 result;
uniform float lightTheme;
void main() {
  vec3 n = normalize(normal);
  float sunlight = max(dot(n, normalize(vec3(-0.45, -0.35, 0.82))), 0.0);
  float stain = 0.5 + 0.5 * sin(local.x * 19.0 + 3.0 * sin(local.y * 13.0)) * sin(local.z * 17.0 + 2.0 * sin(local.x * 11.0));
  vec3 base = tint * (0.78 + 0.3 * stain);
  vec3 lit = base * (0.16 + 0.95 * sunlight) + vec3(0.02, 0.03, 0.06) * (0.5 - 0.5 * n.z);
  result = vec4(mix(lit, base * (0.62 + 0.5 * sunlight), lightTheme), 1.0);
}`;

export const kStreakVertex = `${kPlace}${kHead}
in vec3 corner;
uniform vec2 screen;
uniform float thickness;
out vec3 tint;
out vec2 along;
void main() {
  vec3 at = place();
  vec4 head = viewProjection * vec4(at, 1.0);
  float l = lengthHere(head.w);
  float n = length(heading.xyz);
  vec4 tail = viewProjection * vec4(n > 0.0 ? at - heading.xyz / n * l : at, 1.0);
  float back = 0.5 - 0.5 * corner.x;
  vec2 way = (head.xy / head.w - tail.xy / tail.w) * screen;
  float far = length(way);
  vec2 u = far > 0.001 ? way / far : vec2(1.0, 0.0);
  float wide = max(thickness, 0.05 * l * pixelScale / head.w);
  vec4 p = mix(head, tail, back);
  p.xy += (vec2(-u.y, u.x) * corner.y + u * corner.x * 0.6) * wide / screen * p.w;
  if (head.w <= 0.0 || tail.w <= 0.0) p = vec4(2.0, 2.0, 2.0, 1.0);
  tint = paint();
  along = vec2(back, corner.y);
  gl_Position = p;
}`;

export const kStreakFragment = `
precision highp float;
in vec3 tint;
in vec2 along;
out vec4 result;
uniform float lightTheme;
void main() {
  float across = 1.0 - along.y * along.y, strong = pow(1.0 - along.x, 1.4) * across;
  vec3 hot = mix(tint, vec3(1.0), 0.55 * across * (1.0 - along.x));
  result = vec4(mix(hot * strong * 1.25, tint * strong, lightTheme), lightTheme * strong);
}`;

/** Explosions: a hot core, a glow, and a thin shell. When their colour is their age, they fade. */
export const kBallVertex = `${kPlace}
in vec3 corner;
uniform vec2 screen;
uniform float fades;
out vec3 tint;
out vec2 at01;
out float seed, strength, heat;
void main() {
  vec3 at = place();
  vec4 p = viewProjection * vec4(at, 1.0);
  float l = lengthHere(p.w);
  // The glow reaches beyond the ball itself.
  p.xy += corner.xy * 0.95 * l * pixelScale / screen;
  seed = fract(dot(at, vec3(0.0731, 0.0517, 0.0923)));
  float left = 1.0 - colour / 255.0 * fades;
  strength = pow(left, 1.3);
  heat = mix(1.0, left * left, fades);
  tint = paint();
  at01 = corner.xy;
  gl_Position = p;
}`;

export const kBallFragment = `
precision highp float;
in vec3 tint;
in vec2 at01;
in float seed, strength, heat;
out vec4 result;
uniform float lightTheme;
void main() {
  float r = length(at01);
  if (r > 1.0) discard;
  float a = atan(at01.y, at01.x) + 6.2832 * seed;
  float flames = 1.0 + 0.22 * sin(a * 3.0 + 5.0 * r) * sin(a * 7.0 - 9.0 * r + 11.0 * seed) * smoothstep(0.1, 0.5, r);
  float q = r * flames, edge = (1.0 - r) * (1.0 - r);
  float core = exp(-q * q * 26.0), glow = exp(-q * q * 5.5) * edge * 1.6;
  float shell = exp(-pow((q - 0.52) * 13.0, 2.0)) * edge * 0.9;
  vec3 hot = mix(tint, vec3(1.0, 0.96, 0.88), heat);
  vec3 light = hot * core * 1.1 + tint * (glow * 0.75 + shell) + vec3(0.9, 0.16, 0.03) * glow * 0.4;
  light *= strength;
  float cover = min(1.0, core + glow * 0.7 + shell * 0.6) * lightTheme * 0.9 * strength;
  vec3 ink = mix(mix(tint * 0.8, vec3(0.95, 0.38, 0.08), heat), vec3(1.0, 0.8, 0.35), core * heat);
  result = vec4(mix(light, ink * cover, lightTheme), cover);
}`;

export const kDotVertex = `${kPlace}
out vec3 tint;
out float pixels;
void main() {
  gl_Position = viewProjection * vec4(place(), 1.0);
  pixels = lengthHere(gl_Position.w) * pixelScale / gl_Position.w;
  gl_PointSize = pixels;
  tint = paint();
}`;

export const kDotFragment = `
precision highp float;
in vec3 tint;
in float pixels;
out vec4 result;
uniform float flat2d;
void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  float r = dot(p, p);
  if (r > 1.0 && pixels > 2.5) discard;
  float z = sqrt(max(1.0 - r, 0.0));
  float light = 0.55 + 0.5 * max(dot(vec3(p.x, -p.y, z), vec3(-0.45, 0.55, 0.7)), 0.0);
  float round3d = smoothstep(4.0, 9.0, pixels) * (1.0 - 0.6 * flat2d);
  result = vec4(tint * mix(1.0, light, round3d), 1.0);
}`;

/** Boxes and lines over all things. */
export const kOverlayVertex = `
precision highp float;
uniform mat4 viewProjection;
in vec3 corner, begin, end;
void main() { gl_Position = viewProjection * vec4(mix(begin, end, corner), 1.0); }`;
export const kOverlayFragment = `
precision highp float;
uniform vec3 tint;
out vec4 result;
void main() { result = vec4(tint, 0.8); }`;

/** Triangles of things: each is flat, so its normal follows from the places of its pixels. */
export const kShapesVertex = `
precision highp float;
uniform mat4 viewProjection;
in vec3 corner;
out vec3 at;
void main() {
  at = corner;
  gl_Position = viewProjection * vec4(corner, 1.0);
}`;
export const kShapesFragment = `
precision highp float;
in vec3 at;
out vec4 result;
uniform vec3 eye, tint;
uniform float lightTheme, grain;
void main() {
  vec3 n = normalize(cross(dFdx(at), dFdy(at)));
  if (dot(n, eye - at) < 0.0) n = -n;
  float sunlight = max(dot(n, normalize(vec3(-0.45, -0.35, 0.82))), 0.0);
  vec3 p = at * grain;
  float stain = 0.5 + 0.5 * sin(p.x + 3.0 * sin(p.y * 0.7)) * sin(p.z * 0.9 + 2.0 * sin(p.x * 0.6));
  vec3 base = tint * (0.88 + 0.16 * stain);
  vec3 lit = base * (0.16 + 0.95 * sunlight) + vec3(0.02, 0.03, 0.06) * (0.5 - 0.5 * n.z);
  result = vec4(mix(lit, base * (0.62 + 0.5 * sunlight), lightTheme), 1.0);
}`;

/** Behind everything: a gradient that is lighter in the middle. */
export const kBackdropVertex = `
precision highp float;
in vec3 position;
out vec2 at;
void main() { at = position.xy; gl_Position = vec4(position.xy, 0.999999, 1.0); }`;
export const kBackdropFragment = `
precision highp float;
in vec2 at;
out vec4 result;
uniform vec3 middle, edge;
void main() {
  float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  result = vec4(mix(middle, edge, smoothstep(0.0, 1.35, length(at - vec2(0.1, 0.15)))) + noise / 255.0, 1.0);
}`;
