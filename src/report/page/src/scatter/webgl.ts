// Points by WebGL 2, in as many steps as the machine needs: a graphics card draws a million at once, software in parts,
// each an even sample of all of them, so that a picture is there after the first.
import type { Picture, Renderer } from "./renderer";
import { tableSize } from "./colors";

const vertexShader = `#version 300 es
in float x;
in float y;
in float place;
in float selected;
uniform vec4 camera;      // scale and offset, x and y
uniform float size;
uniform float wanted;     // which points: -1 all, 0 those that are not selected, 1 the selected
out float color;
void main() {
  bool shown = x == x && y == y && (wanted < 0.0 || abs(selected - wanted) < 0.5);
  vec2 at = 2.0 * (camera.xz * vec2(x, y) + camera.yw) - 1.0;
  gl_Position = shown ? vec4(at, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = size;
  color = place;
}`;

const fragmentShader = `#version 300 es
precision mediump float;
in float color;
uniform sampler2D table;
uniform vec3 missing;
uniform float opacity;
uniform float faded;
uniform float disc;       // width of the soft rim of a disc, 0 for squares
out vec4 pixel;
void main() {
  float radius = length(2.0 * gl_PointCoord - 1.0);
  float inside = disc > 0.0 ? 1.0 - smoothstep(1.0 - disc, 1.0, radius) : 1.0;
  vec3 shade = color < 0.0 ? missing : texture(table, vec2(color, 0.5)).rgb;
  float alpha = opacity * faded * inside;
  pixel = vec4(shade * alpha, alpha);
}`;

/// Below this many points a picture is drawn in one go.
const fewPoints = 60_000;
/// Parts of all others: every 16th point, then the next of each 16, and so on.
const parts = 16;

function compiled(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram()!;
  for (const [type, source] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}

type Attribute = "x" | "y" | "place" | "selected";

export class WebglRenderer implements Renderer {
  readonly kind = "webgl";
  private readonly buffers = new Map<Attribute, WebGLBuffer>();
  private points = 0;
  private selection = false;
  private missing: readonly [number, number, number] = [128, 128, 128];
  private drawing = 0; // number of the picture that is being drawn
  private timer = 0;

  private constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
    private readonly program: WebGLProgram,
  ) {
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ] as const) {
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    }
  }

  /// Null where there is no WebGL 2; `lost` is called when it is taken away.
  static create(canvas: HTMLCanvasElement, lost: () => void): WebglRenderer | null {
    const gl = canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: true, premultipliedAlpha: true });
    const program = gl && compiled(gl);
    if (!gl || !program) {
      return null;
    }
    const renderer = new WebglRenderer(canvas, gl, program);
    canvas.addEventListener("webglcontextlost", () => {
      clearTimeout(renderer.timer);
      if (renderer.drawing >= 0) {
        lost();
      }
    });
    return renderer;
  }

  setPositions(x: Float32Array, y: Float32Array): void {
    this.points = x.length;
    this.upload("x", x);
    this.upload("y", y);
  }

  setColors(places: Float32Array, table: Uint8Array, missing: readonly [number, number, number]): void {
    const { gl } = this;
    this.missing = missing;
    this.upload("place", places);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, tableSize, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, table);
  }

  setSelection(mask: Uint8Array | null): void {
    this.selection = mask !== null;
    if (mask) {
      this.upload("selected", mask);
    }
  }

  draw(picture: Picture, begun: () => void, done: () => void): void {
    const { gl, canvas, program } = this;
    const number = ++this.drawing;
    clearTimeout(this.timer);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const { scaleX, offsetX, scaleY, offsetY } = picture.camera;
    gl.uniform4f(gl.getUniformLocation(program, "camera"), scaleX, offsetX, scaleY, offsetY);
    // A soft rim, two pixels wide, around the edge of a disc: as large as without WebGL.
    const discs = picture.pointSize >= 3;
    const size = picture.pointSize + (discs ? 1 : 0);
    gl.uniform1f(gl.getUniformLocation(program, "size"), size);
    gl.uniform1f(gl.getUniformLocation(program, "disc"), discs ? Math.min(1, 4 / size) : 0);
    gl.uniform1f(gl.getUniformLocation(program, "opacity"), picture.opacity);
    gl.uniform3f(gl.getUniformLocation(program, "missing"), ...(this.missing.map((part) => part / 255) as [number, number, number]));
    const passes = this.selection ? [0, 1] : [-1];
    if (this.points <= fewPoints) {
      passes.forEach((pass) => this.drawPart(pass, 0, 1));
      begun();
      done();
      return;
    }
    const work = passes.flatMap((pass) => Array.from({ length: parts }, (_, part) => () => this.drawPart(pass, part, parts)));
    this.drawInSteps(number, work, 1, begun, done);
  }

  /// Twice as many parts as before each time the last ones were done before the next frame.
  private drawInSteps(number: number, work: (() => void)[], together: number, begun: () => void, done: () => void): void {
    const { gl } = this;
    if (number !== this.drawing || gl.isContextLost()) {
      return;
    }
    if (work.length === 0) {
      done();
      return;
    }
    work.splice(0, together).forEach((part) => part());
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
    gl.flush();
    const begin = performance.now();
    const wait = () => {
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED || gl.isContextLost()) {
        gl.deleteSync(fence);
        begun();
        this.drawInSteps(number, work, performance.now() - begin < 20 ? 2 * together : 1, begun, done);
      } else {
        this.timer = window.setTimeout(wait, 4);
      }
    };
    this.timer = window.setTimeout(wait, 0);
  }

  private drawPart(wanted: number, part: number, every: number): void {
    const { gl, program } = this;
    gl.uniform1f(gl.getUniformLocation(program, "wanted"), wanted);
    gl.uniform1f(gl.getUniformLocation(program, "faded"), wanted === 0 ? 0.12 : 1);
    for (const name of ["x", "y", "place"] as const) {
      this.attach(name, gl.FLOAT, 4, part, every);
    }
    if (this.selection) {
      this.attach("selected", gl.UNSIGNED_BYTE, 1, part, every);
    } else {
      gl.disableVertexAttribArray(gl.getAttribLocation(program, "selected"));
    }
    gl.drawArrays(gl.POINTS, 0, Math.ceil((this.points - part) / every));
  }

  private attach(name: Attribute, type: number, size: number, part: number, every: number): void {
    const { gl } = this;
    const location = gl.getAttribLocation(this.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.get(name)!);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 1, type, false, size * every, size * part);
  }

  private upload(name: Attribute, values: ArrayBufferView): void {
    const { gl } = this;
    let buffer = this.buffers.get(name);
    if (!buffer) {
      buffer = gl.createBuffer()!;
      this.buffers.set(name, buffer);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values as ArrayBufferView<ArrayBuffer>, gl.STATIC_DRAW);
  }

  destroy(): void {
    this.drawing = -1;
    clearTimeout(this.timer);
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
