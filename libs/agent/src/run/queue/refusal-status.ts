/** Whether an HTTP status refuses a caller for good; 429 is temporary. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}
