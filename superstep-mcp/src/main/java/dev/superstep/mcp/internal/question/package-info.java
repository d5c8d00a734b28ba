/// Questions of servers: forms, rounds of input, and calls of a model.
package dev.superstep.mcp.internal.question;
