/// Programs that came from LangGraph; the originals are in `examples/migration/langgraph`.
@NullMarked
package dev.superstep.example.migration.langgraph;

import org.jspecify.annotations.NullMarked;
