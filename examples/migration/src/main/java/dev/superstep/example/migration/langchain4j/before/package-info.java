/// The programs before the migration, written for LangChain4j.
@NullMarked
package dev.superstep.example.migration.langchain4j.before;

import org.jspecify.annotations.NullMarked;
