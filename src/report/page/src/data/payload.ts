// What the page is given: the JSON that src/report/report.cpp writes. Result, sets, committor and scan are the files of
// the result directory as they are; keys that are not listed here are shown as they come.

export type Precision = "coarse" | "steps" | "single" | "double";
export type Group = "coordinate" | "eigenfunction" | "weight" | "analysis" | "error_bar" | "values";
export type Range = readonly [number, number];

export interface ColumnInfo {
  key: string;
  name: string;
  group: Group;
  block: string;
  precision: Precision;
  /// Of coarse and fine steps: how many there are from low to high, of the value or of its logarithm.
  steps?: number;
  low?: number;
  high?: number;
  logarithmic?: boolean;
  mode?: number;
  positive: boolean;
  whole: boolean;
  missing: number;
  range: Range | null;
  /// Without the outermost points: where pictures, and colours, begin.
  position_range: Range | null;
  color_range: Range | null;
}

/// JSON has no infinity: it stands as null.
export type Maybe = number | null;
export type Complex = readonly [number, number];
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface ErrorBars {
  blocks: number;
  /// Of ε in the extrapolation: 1, or 1/2 where the data ends at walls.
  power?: number;
  eigenvalue_errors: Complex[];
  extrapolated: [Maybe, Maybe][];
  extrapolated_errors: [Maybe, Maybe][];
  timescales: Maybe[];
  timescale_errors: Maybe[];
  warnings: string[];
}

export interface Diagnostics {
  components: number;
  isolated_points: number;
  dropped_points: number;
  mean_neighbours: Maybe;
  /// Since the format that knows walls.
  wall_points?: number;
  warnings: string[];
  [key: string]: Json | undefined;
}

export interface Result {
  version: string;
  command: string;
  command_line?: string;
  parameters: Record<string, Json>;
  definition: Record<string, Json>;
  method: string;
  reversible: boolean;
  points: number;
  dimension: number;
  epsilon: number;
  epsilon_reason?: string;
  density_epsilon: Maybe;
  engine: string;
  plan: { reason: string; [key: string]: Json };
  eigenvalues: Complex[];
  rates_log: Maybe[];
  timescales: Maybe[];
  timescales_log: Maybe[];
  residuals: Maybe[];
  status: string[];
  spurious: number[];
  effective_points: Maybe[];
  error_bars?: ErrorBars;
  diagnostics: Diagnostics;
  matvecs: number;
  seconds: Record<string, number>;
  peak_memory_bytes: number;
  [key: string]: unknown;
}

export interface Cluster {
  method: string;
  functions: number[];
  points: number[];
  stationary: Maybe[];
  escape_rates: Maybe[];
  exit_times: Maybe[];
  rate_matrix: Maybe[][];
  timescales: Maybe[];
  crispness?: Maybe;
  warnings: string[];
}

/// A number of a committor at ε = 0 and for many points.
export interface Estimate {
  extrapolated: Maybe;
  error: Maybe;
}

export interface Committor {
  source_points: number;
  sink_points: number;
  flux: Maybe;
  rate: Maybe;
  reverse_rate: Maybe;
  inverse_rates: { source_to_sink: Maybe; sink_to_source: Maybe };
  passage_times: { source_to_sink: Maybe; sink_to_source: Maybe };
  error_bars?: {
    flux: Estimate;
    rate: Estimate;
    reverse_rate: Estimate;
    passage_times: { source_to_sink: Estimate; sink_to_source: Estimate };
    warnings: string[];
  };
  converged: boolean;
  warnings: string[];
  [key: string]: unknown;
}

export interface ScaleRow {
  epsilon: number;
  neighbours: Maybe;
  components: number;
  timescales: Maybe[];
  bias: Maybe;
  few_points_bias: Maybe;
  noise: Maybe;
  usable: boolean;
}

export interface Scale {
  epsilon: number;
  reason: string;
  scan: ScaleRow[];
}

export interface DriftField {
  x: string;
  y: string;
  cells: number;
  x_range: Range;
  y_range: Range;
  u: Maybe[];
  v: Maybe[];
}

export interface Structure {
  name: string;
  pdb: string;
}

export interface Payload {
  version: string;
  title: string;
  /// Empty where the user has not said it.
  time_unit: string;
  name: string;
  /// Of the result; empty where there is none, because the page was written from memory.
  directory: string;
  result: Result;
  cluster: Cluster | null;
  committor: Committor | null;
  committor_histogram: { weight: number[]; flux: number[] } | null;
  scale: Scale | null;
  reference_timescales: number[];
  effective_points: number;
  /// Root mean square errors of eigenfunctions, which have 1 themselves.
  function_errors: { mode: number; error: Maybe }[] | null;
  drift: DriftField[] | null;
  structures: Structure[];
  points: { total: number; shown: number };
  left_out: string[];
  columns: ColumnInfo[];
}
