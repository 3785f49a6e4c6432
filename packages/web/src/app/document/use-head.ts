import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useConfig } from '../../shared/config.ts'

/**
 * Keeps the document's head up to date: the server wrote it for the first page, and its texts are fetched with the
 * second.
 */
export function useHead(): void {
  const router = useRouter()
  const config = useConfig()
  useEffect(() => {
    let written = document.title === '' ? null : location.pathname
    return router.subscribe('onResolved', ({ toLocation: { pathname } }) => {
      if (pathname === written) return
      written = pathname
      void import('./browser-head.ts').then(
        ({ updateHead }) => updateHead(document, router, router.options.context.queryClient, config),
        () => undefined, // without a connection the old texts stay
      )
    })
  }, [router, config])
}
