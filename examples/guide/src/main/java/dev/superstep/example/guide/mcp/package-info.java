/// Programs of the pages on servers of the Model Context Protocol.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.guide.mcp;
