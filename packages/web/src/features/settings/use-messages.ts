import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Message } from '@fairball/contract/schemas/account'
import { useApi } from '../../shared/api.ts'
import { UNREAD_KEY } from '../../shared/data/unread-messages.ts'

export type { Message }

/** @returns the query of a page of messages; while a page loads, the previous one stays */
export function useMessages(page: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['messages', page],
    queryFn: ({ signal }) => api.call('getMessages', { query: { _page: page }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** @returns the mutation that marks a message read or unread; the shown page follows immediately */
export function useMarkMessage(page: number) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isRead }: { id: string; isRead: boolean }) =>
      api.call('markMessage', { params: { id }, body: { is_read: isRead } }),
    onSuccess: (_answer, { id, isRead }) => {
      queryClient.setQueryData<AnswerOf<'getMessages'>>(
        ['messages', page],
        (answer) => answer && marked(answer, (message) => message.id === id, isRead),
      )
      void queryClient.invalidateQueries({ queryKey: UNREAD_KEY })
    },
  })
}

/** @returns the mutation that marks all messages read; the shown page follows immediately */
export function useMarkAllMessages(page: number) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call('markAllMessages', { body: { is_read: true } }),
    onSuccess: () => {
      queryClient.setQueryData<AnswerOf<'getMessages'>>(
        ['messages', page],
        (answer) => answer && marked(answer, () => true, true),
      )
      queryClient.removeQueries({ queryKey: ['messages'], type: 'inactive' }) // pages that are not shown
      void queryClient.invalidateQueries({ queryKey: UNREAD_KEY })
    },
  })
}

function marked(
  answer: AnswerOf<'getMessages'>,
  isMeant: (message: Message) => boolean,
  isRead: boolean,
): AnswerOf<'getMessages'> {
  const results = answer.results.map((message) => (isMeant(message) ? { ...message, is_read: isRead } : message))
  return { ...answer, results }
}
