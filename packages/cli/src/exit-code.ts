/** What scripts and supervisors branch on; 69 and 78 are those of sysexits.h. */
export const exitCode = {
  done: 0,
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Something needed is away or in use: a database that does not answer, a port that is taken. */
  unavailable: 69,
  /** The set-up must be mended before a start can succeed. */
  configuration: 78,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
