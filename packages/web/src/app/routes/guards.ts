import { parsePage } from '@fairball/domain/pagination'
import { redirect } from '@tanstack/react-router'
import { firstView } from '../../shared/first-view.ts'
import { paths } from '../../shared/paths.ts'
import type { PageParams } from '../../shared/screen.ts'
import type { AppParts } from '../providers.tsx'

/** The guards' view of the page that is about to open. */
export interface Opening {
  context: AppParts
  params: PageParams
  location: { href: string; search: PageParams }
}

/**
 * Runs the guard of pages that the browser renders. If it leads elsewhere, that waits for the first view; if not, the page
 * asks for its answers before.
 */
export async function guarded(guard: () => Promise<void>): Promise<void> {
  try {
    await guard()
  } catch (elsewhere) {
    await firstView
    throw elsewhere
  }
}

/**
 * Lets signed-in players pass and sends others to the login, which brings them back here. These pages are not rendered
 * on the server, so the session exists. While the session is unknown because the server does not answer, the page opens
 * and says that nothing can be loaded.
 */
export async function playersOnly({ context, location }: Pick<Opening, 'context' | 'location'>): Promise<void> {
  await context.session?.ready()
  if (context.session?.state().status === 'anonymous')
    throw redirect({ href: paths.login(location.href), replace: true })
}

/** Lets visitors pass who are not signed in; players go to their personal details. */
export async function visitorsOnly({ context }: Pick<Opening, 'context'>): Promise<void> {
  await context.session?.ready()
  if (context.session?.state().status === 'player') throw redirect({ href: paths.personalDetails(), replace: true })
}

/** @returns the page number of an address. @throws a redirect to /page-not-found when it is not a positive integer */
export function checkedPage(text: string | undefined): number {
  const page = parsePage(text)
  if (page === null) throw redirect({ href: paths.pageNotFound(), replace: true })
  return page
}
