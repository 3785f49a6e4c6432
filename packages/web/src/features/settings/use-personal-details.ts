import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PersonalDetails } from '@fairball/contract/schemas/account'
import { useApi } from '../../shared/api.ts'
import { proofBody } from '../../shared/forms/proof.ts'
import { RESPONSIBLE_PLAY_KEY } from '../../shared/data/responsible-play.ts'
import { runtime } from '../../shared/runtime.ts'
import { useSession } from '../../shared/session/use-session.ts'

export type { PersonalDetails }

const DETAILS_KEY = ['personal-details']
/** Interval at which a typed name's availability is checked, in ms (specification, section 9). */
const AVAILABILITY_POLL_MS = 400

/** @returns the query of username, email address, time zone and currency */
export function usePersonalDetails() {
  const api = useApi()
  return useQuery({ queryKey: DETAILS_KEY, queryFn: ({ signal }) => api.call('getPersonalDetails', { signal }) })
}

/** @returns the query of the time zones to choose from */
export function useTimezones() {
  const api = useApi()
  return useQuery({
    queryKey: ['timezones'],
    queryFn: ({ signal }) => api.call('getTimezones', { signal }),
    staleTime: 'static',
  })
}

/** @returns the query of the currencies to choose from */
export function useCurrencies() {
  const api = useApi()
  return useQuery({
    queryKey: ['currencies'],
    queryFn: ({ signal }) => api.call('getCurrencies', { signal }),
    staleTime: 'static',
  })
}

/** The personal details as typed; `proof` is needed only for a new email address. */
export interface PersonalDetailsValues extends PersonalDetails {
  proof: string
}

/** @returns the mutation that saves the details; the page then shows amounts and times accordingly */
export function useSavePersonalDetails(isSocial: boolean) {
  const api = useApi()
  const queryClient = useQueryClient()
  const { refreshProfile } = useSession()
  return useMutation({
    mutationFn: ({ proof, ...details }: PersonalDetailsValues) =>
      api.call('savePersonalDetails', { body: { ...details, ...(proof !== '' && proofBody(proof, isSocial)) } }),
    onSuccess: async (saved) => {
      queryClient.setQueryData(DETAILS_KEY, saved)
      // The weekly limit is in the player's currency, which may be another one now.
      void queryClient.invalidateQueries({ queryKey: RESPONSIBLE_PLAY_KEY })
      await refreshProfile()
    },
  })
}

/** Whether the typed value is available: nothing to check, being checked, available or taken. */
export type Availability = 'unasked' | 'asking' | 'free' | 'taken'

/**
 * Asks the server whether a typed username or email address is available. The typed value is read every 400 ms, and
 * checked when it is valid and differs from the saved one.
 */
export function useAvailability({
  kind,
  value,
  isAskable,
}: {
  kind: 'username' | 'email'
  value: string
  isAskable: boolean
}): Availability {
  const api = useApi()
  const sampled = useSampled(value)
  const isAsked = isAskable && sampled === value
  const query = useQuery({
    queryKey: ['availability', kind, sampled],
    queryFn: ({ signal }) => {
      const name = kind === 'username' ? 'getUsernameAvailability' : 'getEmailAvailability'
      return api.call(name, { params: { value: sampled }, signal })
    },
    select: (answer) => answer[0] === true,
    enabled: isAsked,
    retry: false,
  })
  if (!isAskable || query.isError) return 'unasked'
  if (!isAsked || query.data === undefined) return 'asking'
  return query.data ? 'free' : 'taken'
}

/** @returns the value at the last reading, every 400 ms */
function useSampled(value: string): string {
  const [sampled, setSampled] = useState(value)
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  }, [value])
  useEffect(() => runtime.every(AVAILABILITY_POLL_MS, () => setSampled(latest.current)), [])
  return sampled
}
