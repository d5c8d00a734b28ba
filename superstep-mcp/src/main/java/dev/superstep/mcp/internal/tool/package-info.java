/// Tools of servers: names, schemas and contents of results.
package dev.superstep.mcp.internal.tool;
