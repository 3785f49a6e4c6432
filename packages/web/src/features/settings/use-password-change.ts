import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'

/** Values to change the password. */
export interface PasswordChangeValues {
  currentPassword: string
  newPassword: string
  confirmPassword: string
}

/** @returns the mutation that changes the password */
export function useChangePassword() {
  const api = useApi()
  return useMutation({
    mutationFn: ({ currentPassword, newPassword, confirmPassword }: PasswordChangeValues) =>
      api.call('changePassword', {
        body: { current_password: currentPassword, new_password: newPassword, confirm_password: confirmPassword },
      }),
  })
}
