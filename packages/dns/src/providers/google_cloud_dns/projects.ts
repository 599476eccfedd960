import { ProviderError } from "../adapter/errors.ts";
import { list, object, optional, text } from "../adapter/json.ts";
import { allPages, type JsonApi } from "../adapter/json-api.ts";

export const resourceManagerUrl = "https://cloudresourcemanager.googleapis.com/v3";

const projectPage = object({
  projects: optional(list(object({ projectId: text })), []),
  nextPageToken: optional(text, null),
});

/** A person waits: more projects are not searched for the zone. */
const maxProjects = 100;
const askedAtOnce = 10;

/** The projects that the person who signed in can see; a service account's key names its own. */
export async function listProjects(api: JsonApi, signal: AbortSignal): Promise<readonly string[]> {
  const projects = await allPages(async (token: string | null) => {
    const page = token === null ? {} : { pageToken: token };
    const call = { path: "/projects:search", query: { query: "state:ACTIVE", ...page } };
    const answer = await api.read(call, projectPage, signal);
    return { items: answer.projects, next: answer.nextPageToken };
  });
  return projects.map(({ projectId }) => projectId).slice(0, maxProjects);
}

/**
 * What every project has. One in which Cloud DNS is not switched on, or in which the person may not
 * read it, has nothing.
 */
export async function ofProjects<T>(
  projects: readonly string[],
  read: (project: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let from = 0; from < projects.length; from += askedAtOnce) {
    const batch = projects.slice(from, from + askedAtOnce);
    found.push(...(await Promise.all(batch.map((project) => orNothing(read(project))))).flat());
  }
  return found;
}

async function orNothing<T>(reading: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await reading;
  } catch (error) {
    const isClosed = error instanceof ProviderError && ["auth", "not_found"].includes(error.kind);
    if (isClosed) return [];
    throw error;
  }
}
