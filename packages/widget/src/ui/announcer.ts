/** What the live region says; each announcement has its own number, so that it is said once. */
export interface Announcement {
  readonly text: string;
  readonly serial: number;
}

export interface Announcer {
  readonly current: () => Announcement;
  readonly say: (text: string) => void;
  /** Empties the region: what was said belongs to a screen that is gone. */
  readonly clear: () => void;
}

export function createAnnouncer(): Announcer {
  let current: Announcement = { text: "", serial: 0 };
  return {
    current: () => current,
    say(text) {
      current = { text, serial: current.serial + 1 };
    },
    clear() {
      if (current.text !== "") current = { text: "", serial: current.serial + 1 };
    },
  };
}
