import { createRouter } from '@tanstack/react-router'
import type { AppParts } from '../app/providers.tsx'
import { routeTree } from '../app/routes/route-tree.ts'

/** Every page by its address. Nothing is shown by this router. */
export const pageTable = createRouter({ routeTree, context: {} as AppParts })

/**
 * @returns the addresses that the sitemap lists, with `$name` for each variable part; for a list only the first page
 */
export function listedPages(): readonly string[] {
  return Object.values(pageTable.routesById)
    .filter(({ options }) => options.staticData?.isListed === true)
    .map(({ fullPath }) => fullPath.replace(/\/\{-\$\w+\}$/u, '').replace(/(?<=.)\/$/u, ''))
}
