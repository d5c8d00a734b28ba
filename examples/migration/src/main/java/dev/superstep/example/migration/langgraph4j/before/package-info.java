/// The programs as LangGraph4j has them.
@NullMarked
package dev.superstep.example.migration.langgraph4j.before;

import org.jspecify.annotations.NullMarked;
