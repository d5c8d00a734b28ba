/// Programs that came from LangGraph4j.
@NullMarked
package dev.superstep.example.migration.langgraph4j;

import org.jspecify.annotations.NullMarked;
