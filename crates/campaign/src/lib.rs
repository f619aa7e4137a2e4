//! Campaigns: scheduler, workers, corpus and statistics.
