import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'

/** @returns the query of the newest statements of the log */
export function useLogEnd() {
  const api = useApi()
  return useQuery({
    queryKey: ['log-end'],
    queryFn: ({ signal }) => api.call('getFairnessLog', { signal }),
  })
}
