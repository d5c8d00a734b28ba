/// Sessions with a server: requests with their answers, by JSON-RPC.
package dev.superstep.mcp.internal.session;
