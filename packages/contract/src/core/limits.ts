/** Every limit of the contract, in one place. Bytes, milliseconds, counts. */
export const limits = {
  idCharactersMax: 200,
  nameCharactersMax: 200,
  passphraseCharactersMin: 8,
  passphraseCharactersMax: 1_000,
  descriptionCharactersMax: 10_000,
  listDefault: 100,
  listMax: 1_000,
  cursorCharactersMax: 2_000,
  bodyBytesMax: 1024 * 1024,
  importBodyBytesMax: 8 * 1024 * 1024,
  /** The maximum number of values and member names in a body. */
  importValuesMax: 50_000,
  idempotencyKeyCharactersMax: 200,
  idempotencyKeptMs: 24 * 3_600_000,
  auditKept: 100_000,
  groupDepthMax: 16,
  labelsMax: 64,
  labelKeyCharactersMax: 63,
  labelValueCharactersMax: 255,
  argumentsMax: 4_096,
  /**
   * The maximum size of one argument, script or environment value: the limit of Linux for a single string (128 KiB with
   * its NUL).
   */
  stringBytesMax: 128 * 1024 - 1,
  environmentNamesMax: 1_000,
  standardInputBytesMax: 512 * 1024,
  killGraceMaxMs: 3_600_000,
  timeoutMinMs: 1,
  expectSuccessMinMs: 1_000,
  retryAttemptsMax: 1_000,
  retryDelayMaxMs: 7 * 86_400_000,
  chainDelayMaxMs: 366 * 86_400_000,
  priorityMin: -100,
  priorityMax: 100,
  concurrencyMax: 10_000,
  concurrencyKeyCharactersMax: 200,
  userNameCharactersMax: 256,
  outputBytesMin: 1024,
  outputBytesMax: 1024 * 1024 * 1024,
  /** The maximum number of lines that `tail` asks for. */
  outputTailMax: 10_000,
  retentionRunsMax: 1_000_000,
  retentionBytesMin: 1024,
  retentionBytesMax: 1024 ** 4,
  queuedRunsPerTaskMax: 1_000,
  expressionCharactersMax: 1_000,
  intervalMinMs: 1_000,
  jitterMaxMs: 86_400_000,
  /** A spread is shorter than this, and than the time between two scheduled times. */
  spreadMaxMs: 3_600_000,
  misfireRunsMax: 10_000,
  previewMax: 1_000,
  triggerSetMembersMax: 99,
  watchedPathBytesMax: 4_095,
  watcherPatternBytesMax: 255,
  /** Of one watcher. */
  watchedFilesMax: 1_000_000,
  /** The limits of `debounce` and of `stability`. */
  watcherPauseMinMs: 25,
  watcherPauseMaxMs: 3_600_000,
  watcherMaxWaitMs: 24 * 3_600_000,
  /**
   * The maximum number of items of each kind: more would block the database, and every other caller, for more than a
   * tenth of a second.
   */
  importItemsMax: 500,
  eventKindsMax: 50,
  endpointCharactersMax: 2_048,
  authorizationCharactersMax: 4_096,
  assignmentsMax: 100,
  webhookTimeoutMs: 5_000,
  webhookAttemptsMax: 3,
  /** The pauses of webhook retries: after the first failure, then after the second. */
  webhookRetryDelaysMs: [1_000, 2_000],
  webhookLeaseMs: 15_000,
  deliveriesKept: 1_000,
  redeliveriesMax: 1_000,
  diagnosticCharactersMax: 500,
  formerSigningSecretMs: 24 * 3_600_000,
  formerSigningSecretsMax: 2,
  pairingMinMs: 1_000,
  pairingMaxMs: 600_000,
  /** The tries of a pairing, right or wrong. */
  pairingTriesMax: 5,
  phraseCharactersMax: 200,
  /** A host name of the DNS has at most 253 characters. */
  hostCharactersMax: 253,
  advertisedMax: 20,
  /** The seconds of `Retry-After` with `rate_limited`. */
  retryAfterSeconds: 1,
} as const;
