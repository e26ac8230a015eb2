import { z } from "zod";
import { boundedRecord } from "../../core/bounded-record.ts";
import { limits } from "../../core/limits.ts";
import { controlCharacters, orNull, withoutKey } from "../../core/scalars.ts";
import { meanings } from "./meanings.ts";

const labelKey = withoutKey(
  z
    .string()
    .regex(
      /^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/,
      "must consist of letters and digits, with . _ / or - between them",
    )
    .max(limits.labelKeyCharactersMax),
);
const labelValue = withoutKey(
  z
    .string()
    .max(limits.labelValueCharactersMax)
    .regex(new RegExp(`^[^:${controlCharacters}]*$`), "must not contain a colon or control characters"),
);
const labels = z.record(labelKey, labelValue).meta({
  description: meanings.labels,
  examples: [{ team: "platform" }],
});
export const LabelsInput = boundedRecord(labels, { max: limits.labelsMax, noun: "label" });
export const Labels = labels
  .refine((all) => Object.keys(all).length <= limits.labelsMax)
  .meta({ maxProperties: limits.labelsMax });
export const LabelsPatch = boundedRecord(
  z.record(labelKey, orNull(labelValue)).meta({ examples: [{ team: "platform", old: null }] }),
  {
    max: 2 * limits.labelsMax,
    noun: "label",
  },
);
