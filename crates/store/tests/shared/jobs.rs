//! Every job is done by one process at a time, and none disappears.

use crate::places::on_both;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;
use store::shared::{ATTEMPTS, Job, JobState, NewJob, Outgoing, WorkKind};

fn job(kind: WorkKind, subject: &str, priority: i32) -> NewJob {
    NewJob { kind, subject: subject.to_owned(), detail: format!("{{\"of\":\"{subject}\"}}"), priority }
}

fn subject(job: Option<Job>) -> Option<String> {
    job.map(|job| job.subject)
}

#[test]
fn the_most_urgent_job_goes_first() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let jobs = [
            job(WorkKind::Bisect, "b", -9),
            job(WorkKind::Reduce, "later", 7),
            job(WorkKind::Reduce, "first", -1),
            job(WorkKind::Reduce, "second", 7),
        ];
        one.store.add_jobs(one.campaign, &jobs).unwrap();
        one.store.add_jobs(one.campaign, &jobs).unwrap();
        let mut other = place.campaign(&[None]);
        assert_eq!(other.store.take_job(other.id, &WorkKind::JOBS).unwrap(), None);
        let mut taken = Vec::new();
        while let Some(job) = one.store.take_job(one.id, &[WorkKind::Bisect, WorkKind::Reduce]).unwrap() {
            assert_eq!((job.attempt, job.detail), (1, format!("{{\"of\":\"{}\"}}", job.subject)));
            taken.push(job.subject);
        }
        assert_eq!(taken, ["first", "later", "second", "b"]);
        let totals = one.store.totals(one.campaign).unwrap();
        let reduce = totals.jobs.iter().find(|count| count.kind == WorkKind::Reduce).unwrap();
        assert_eq!((reduce.waiting, reduce.running, reduce.failed), (0, 3, 0));
    });
}

#[test]
fn a_job_is_only_for_those_that_take_its_kind() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        one.store.add_jobs(one.campaign, &[job(WorkKind::Report, "r", 0)]).unwrap();
        assert_eq!(one.store.take_job(one.id, &[WorkKind::Reduce, WorkKind::Fuzz]).unwrap(), None);
        assert_eq!(subject(one.store.take_job(one.id, &[WorkKind::Report]).unwrap()).as_deref(), Some("r"));
    });
}

#[test]
fn a_job_that_is_done_is_gone_and_may_come_again() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let new = [job(WorkKind::Learn, "z3", 0)];
        for _ in 0..2 {
            one.store.add_jobs(one.campaign, &new).unwrap();
            let taken = one.store.take_job(one.id, &WorkKind::JOBS).unwrap().unwrap();
            one.store.add_jobs(one.campaign, &new).unwrap();
            assert!(one.store.keep_job(one.id, &taken).unwrap());
            assert!(one.store.finish_job(one.id, &taken, None).unwrap());
            assert!(!one.store.finish_job(one.id, &taken, None).unwrap());
            assert!(!one.store.keep_job(one.id, &taken).unwrap());
            assert!(one.store.jobs(one.campaign).unwrap().is_empty());
        }
    });
}

#[test]
fn a_job_without_a_heartbeat_goes_to_another_process() {
    on_both(|place| {
        let mut one = place.campaign_with(&[None], "job-lease=1s");
        let mut other = place.join_with(&one, "job-lease=1s");
        one.store.add_jobs(one.campaign, &[job(WorkKind::Reduce, "a", 0)]).unwrap();
        let kept = one.store.take_job(one.id, &WorkKind::JOBS).unwrap().unwrap();
        for _ in 0..3 {
            sleep(Duration::from_millis(600));
            assert!(one.store.keep_job(one.id, &kept).unwrap());
            assert_eq!(other.store.take_job(other.id, &WorkKind::JOBS).unwrap(), None);
        }
        sleep(Duration::from_millis(1200));
        let taken = other.store.take_job(other.id, &WorkKind::JOBS).unwrap().unwrap();
        assert_eq!(taken.attempt, 2);
        assert!(!one.store.keep_job(one.id, &kept).unwrap());
        assert!(!one.store.finish_job(one.id, &kept, None).unwrap());
        assert!(other.store.finish_job(other.id, &taken, None).unwrap());
    });
}

#[test]
fn a_job_that_fails_comes_again_after_a_pause_and_is_given_up_in_the_end() {
    on_both(|place| {
        let mut one = place.campaign_with(&[None], "retry-pause=1ms");
        let new = [job(WorkKind::Reduce, "a", 0)];
        one.store.add_jobs(one.campaign, &new).unwrap();
        for attempt in 1..=ATTEMPTS {
            let taken = loop {
                match one.store.take_job(one.id, &WorkKind::JOBS).unwrap() {
                    Some(job) => break job,
                    None => sleep(Duration::from_millis(50)),
                }
            };
            assert_eq!(taken.attempt, attempt);
            assert!(one.store.finish_job(one.id, &taken, Some(&format!("failure {attempt}"))).unwrap());
        }
        sleep(Duration::from_millis(1200));
        assert_eq!(one.store.take_job(one.id, &WorkKind::JOBS).unwrap(), None);
        let kept = one.store.jobs(one.campaign).unwrap().remove(0);
        assert_eq!((kept.state, kept.attempts, &*kept.failure), (JobState::GivenUp, ATTEMPTS, "failure 5"));
        assert_eq!(one.store.totals(one.campaign).unwrap().jobs[0].failed, 1);
        one.store.add_jobs(one.campaign, &new).unwrap();
        assert_eq!(one.store.take_job(one.id, &WorkKind::JOBS).unwrap().unwrap().attempt, 1);
    });
}

#[test]
fn a_job_whose_processes_die_is_given_up_too() {
    on_both(|place| {
        let mut one = place.campaign_with(&[None], "job-lease=1ms");
        one.store.add_jobs(one.campaign, &[job(WorkKind::Reduce, "a", 0)]).unwrap();
        let mut begun = 0;
        for _ in 0..40 {
            begun += u32::from(one.store.take_job(one.id, &WorkKind::JOBS).unwrap().is_some());
            if one.store.jobs(one.campaign).unwrap()[0].state == JobState::GivenUp {
                break;
            }
            sleep(Duration::from_millis(200));
        }
        let kept = one.store.jobs(one.campaign).unwrap().remove(0);
        assert_eq!((begun, kept.attempts, kept.state), (ATTEMPTS, ATTEMPTS, JobState::GivenUp));
    });
}

#[test]
fn a_process_that_leaves_gives_its_jobs_back() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let mut other = place.join(&one);
        one.store.add_jobs(one.campaign, &[job(WorkKind::Reduce, "a", 0)]).unwrap();
        let kept = one.store.take_job(one.id, &WorkKind::JOBS).unwrap().unwrap();
        one.exchange(Outgoing { leaves: true, ..Outgoing::default() });
        assert_eq!(other.store.take_job(other.id, &WorkKind::JOBS).unwrap().unwrap().attempt, 1);
        assert!(!one.store.finish_job(one.id, &kept, None).unwrap());
    });
}

#[test]
fn processes_that_race_for_jobs_do_each_once() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let jobs: Vec<NewJob> =
            (0..60).map(|number| job(WorkKind::Reduce, &number.to_string(), number % 3)).collect();
        one.store.add_jobs(one.campaign, &jobs).unwrap();
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let mut process = place.join(&one);
                let done = &done;
                scope.spawn(move || {
                    while let Some(job) = process.store.take_job(process.id, &WorkKind::JOBS).unwrap() {
                        assert!(process.store.finish_job(process.id, &job, None).unwrap());
                        done.lock().unwrap().push(job.subject);
                    }
                });
            }
        });
        let done = done.into_inner().unwrap();
        assert_eq!((done.len(), done.into_iter().collect::<BTreeSet<_>>().len()), (60, 60));
    });
}
