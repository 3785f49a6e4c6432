import type { MouseEvent } from 'react'
import type { AnchorProps } from '@fairball/ui/link.tsx'
import { goTo, useAddress } from './address.ts'
import { queryText } from './api.ts'

/** Links of the design system go through this: pages of the console change without loading. */
export function AppAnchor({ onClick, ...anchor }: AnchorProps) {
  if (!isPage(anchor.href) || anchor.target !== undefined || anchor.download !== undefined)
    return <a onClick={onClick} {...anchor} />
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isSpecial = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || isSpecial) return
    event.preventDefault()
    goTo(anchor.href)
  }
  return <a {...anchor} onClick={follow} />
}

function isPage(href: string): boolean {
  return href.startsWith('/') && !href.startsWith('//') && !href.startsWith('/console/')
}

/** The present page's path, and the values of its query. */
interface Place {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The address of this page with some values changed; an empty one goes, and the list starts again. */
  readonly with: (changes: Readonly<Record<string, string>>) => string
}

/** Where the person is. */
export function usePlace(): Place {
  const { path, search } = useAddress()
  const query = Object.fromEntries(new URLSearchParams(search))
  return { path, query, with: (changes) => path + queryText({ ...query, _page: '', ...changes }) }
}

/** The page of a list, from its address; the first for anything else. */
export function usePageNumber(): number {
  const { query } = usePlace()
  const page = query['_page'] ?? ''
  return /^[1-9]\d{0,6}$/u.test(page) ? Number(page) : 1
}
