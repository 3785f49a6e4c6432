import { useQuery } from '@tanstack/react-query'
import type { Site } from '@fairball/contract/console/read'
import { useApi } from './api.ts'

const UNKNOWN: Site = { name: 'Fairball', url: '', is_demo: false, now: 0, rate: null }

/** The site that this console is of; a plain one until it is known. */
export function useSite(): Site {
  return useSiteAnswer().data ?? UNKNOWN
}

/** Whether it is still unknown which kind of site this is: a demo offers other passkeys. */
export function useIsSiteUnknown(): boolean {
  return useSiteAnswer().isPending
}

function useSiteAnswer() {
  const api = useApi()
  return useQuery({
    queryKey: ['getSite'],
    queryFn: () => api.call('getSite'),
    staleTime: 60_000,
    retry: 1,
  })
}
