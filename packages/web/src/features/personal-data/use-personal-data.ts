import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'
import { useClock } from '../../shared/use-clock.ts'
import { proofBody } from '../../shared/forms/proof.ts'
import { saveFile } from '@fairball/ui/save-file.ts'

/** @returns the mutation that saves everything about the player as a file; its result is the file's name */
export function useDownloadPersonalData() {
  const api = useApi()
  const clock = useClock()
  return useMutation({
    mutationFn: async () => {
      const data = await api.call('getPersonalData')
      const name = fileName(clock.now())
      saveFile({ name, type: 'application/json', content: `${JSON.stringify(data, null, 2)}\n` })
      return name
    },
  })
}

/** @returns the mutation that closes the account, with the password or a code */
export function useCloseAccount(isSocial: boolean) {
  const api = useApi()
  return useMutation({
    mutationFn: ({ proof }: { proof: string }) => api.call('closeAccount', { body: proofBody(proof, isSocial) }),
  })
}

/** @returns the file's name: "fairball-personal-data-2026-11-21.json", by the day in UTC */
function fileName(now: number): string {
  return `fairball-personal-data-${new Date(now * 1000).toISOString().slice(0, 10)}.json`
}
