// The environment variables that hold the credentials of an account on Deribit's test network.
export const CLIENT_ID = 'DERIBIT_TEST_CLIENT_ID';
export const CLIENT_SECRET = 'DERIBIT_TEST_CLIENT_SECRET';
