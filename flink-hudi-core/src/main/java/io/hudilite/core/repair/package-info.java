/**
 * Finds what should not be in a table, and heals it: files of writers that died long ago, and keys
 * that are there twice. Each first tells what it would do. Nothing here runs by itself.
 */
package io.hudilite.core.repair;
