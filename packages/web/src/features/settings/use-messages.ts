import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Message } from '@fairball/contract/schemas/account'
import { useApi } from '../../app/api.ts'

export type { Message }

/** @returns the query of a page of messages; while a page loads, the one before stays */
export function useMessages(page: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['messages', page],
    queryFn: ({ signal }) => api.call('getMessages', { query: { _page: page }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** @returns the mutation that marks a message read or unread; the shown page follows at once */
export function useMarkMessage(page: number) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isRead }: { id: string; isRead: boolean }) =>
      api.call('markMessage', { params: { id }, body: { is_read: isRead } }),
    onSuccess: (_answer, { id, isRead }) =>
      queryClient.setQueryData<AnswerOf<'getMessages'>>(
        ['messages', page],
        (answer) => answer && marked(answer, id, isRead),
      ),
  })
}

function marked(answer: AnswerOf<'getMessages'>, id: string, isRead: boolean): AnswerOf<'getMessages'> {
  const results = answer.results.map((message) => (message.id === id ? { ...message, is_read: isRead } : message))
  return { ...answer, results }
}
