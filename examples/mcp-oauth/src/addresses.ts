/** Where the MCP endpoint is: the audience of its tokens. */
export const RESOURCE = `http://127.0.0.1:${process.env.PORT ?? 3000}/mcp`;

export const LOGIN_PORT = Number(process.env.LOGIN_PORT ?? 3001);

/** The authorization server: in a real application Keycloak, Auth0 or another, with https. */
export const ISSUER = `http://127.0.0.1:${LOGIN_PORT}`;
