/** One prefix for each kind of id. */
export type IdPrefix =
  | "act"
  | "att"
  | "aud"
  | "chn"
  | "dlv"
  | "grp"
  | "imp"
  | "ins"
  | "nch"
  | "rdl"
  | "req"
  | "run"
  | "sch"
  | "set"
  | "trg"
  | "tsk"
  | "wch";
