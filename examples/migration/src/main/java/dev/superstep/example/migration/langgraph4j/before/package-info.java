/// The programs before the migration, written for LangGraph4j.
@NullMarked
package dev.superstep.example.migration.langgraph4j.before;

import org.jspecify.annotations.NullMarked;
