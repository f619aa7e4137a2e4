//! Every turn is done, and counts once.

use crate::places::{Process, digest, new_campaign, on_both, unique_name};
use std::thread::sleep;
use std::time::Duration;
use store::shared::Outgoing;

/// The turns of the blocks that an answer grants.
fn turns(answer: &store::shared::Incoming) -> Vec<(usize, u64, u64)> {
    answer.granted.iter().map(|block| (block.strategy, block.first, block.end)).collect()
}

fn leaves() -> Outgoing {
    Outgoing { leaves: true, ..Outgoing::default() }
}

#[test]
fn a_campaign_is_created_once_and_comes_back_as_it_was() {
    on_both(|place| {
        let name = unique_name();
        let mut store = place.open("");
        assert_eq!(store.campaign(&name).unwrap(), None);
        let new = new_campaign(&name, &[Some(5), None]);
        let created = store.create(&new).unwrap();
        assert_eq!(place.open("").create(&new_campaign(&name, &[None])).unwrap(), created);
        assert_eq!(store.campaign(&name).unwrap().as_ref(), Some(&created));
        assert_eq!((created.seed, &created.strategies), (new.seed, &new.strategies));
        assert_eq!(store.seeds(created.id).unwrap(), new.seeds);
        assert!(store.campaigns().unwrap().contains(&created));
        assert!(created.started > 1_700_000_000_000 && !created.finished);
    });
}

#[test]
fn successive_turns_are_granted_until_none_is_left() {
    on_both(|place| {
        let mut one = place.campaign(&[Some(5), None]);
        let mut other = place.join(&one);
        assert_eq!(turns(&one.ask(&[(0, 2), (1, 100)])), [(0, 0, 2), (1, 0, 100)]);
        assert_eq!(turns(&other.ask(&[(0, 2), (0, 2)])), [(0, 2, 4), (0, 4, 5)]);
        let answer = other.ask(&[(0, 2), (1, 0), (7, 1)]);
        assert_eq!((turns(&answer), answer.exhausted, answer.finished), (vec![], vec![0], false));
        assert_eq!(one.store.totals(one.campaign).unwrap().held, 4);
    });
}

#[test]
fn a_block_that_is_not_listed_is_free_at_once_and_goes_on_where_it_stopped() {
    on_both(|place| {
        let mut one = place.campaign(&[Some(10)]);
        let mut other = place.join(&one);
        one.ask(&[(0, 10)]);
        one.work(0, 4);
        one.ask(&[]);
        let lost_answer = std::mem::take(&mut one.held);
        assert!(one.ask(&[]).exhausted.is_empty());
        // A block that is longer than the wish is split.
        assert_eq!(turns(&other.ask(&[(0, 3)])), [(0, 4, 7)]);
        assert_eq!(turns(&one.ask(&[(0, 9)])), [(0, 7, 10)]);
        one.held.extend(lost_answer);
        assert_eq!(one.ask(&[]).lost.len(), 1);
        let totals = one.store.totals(one.campaign).unwrap();
        assert_eq!((totals.cases, totals.turns, totals.held), (40, vec![4], 2));
    });
}

#[test]
fn progress_counts_only_with_the_latest_grant() {
    on_both(|place| {
        let mut one = place.campaign_with(&[Some(4)], "block-lease=1ms");
        let mut other = place.join(&one);
        one.ask(&[(0, 4)]);
        one.work(0, 1);
        one.ask(&[]);
        sleep(Duration::from_millis(20));
        assert_eq!(turns(&other.ask(&[(0, 4)])), [(0, 1, 4)]);
        one.work(0, 3);
        let before = one.held.clone();
        let answer = one.ask(&[]);
        assert_eq!(answer.lost, [before[0].block]);
        other.work(0, 4);
        assert!(other.ask(&[]).finished);
        let totals = one.store.totals(one.campaign).unwrap();
        let expected = (0..4).map(digest).fold(0, u64::wrapping_add);
        assert_eq!((totals.cases, totals.digest, totals.turns, totals.held), (40, expected, vec![4], 0));
        assert!(one.store.campaigns().unwrap().iter().any(|it| it.id == one.campaign && it.finished));
    });
}

#[test]
fn the_end_of_a_lease_takes_nothing_from_a_process_that_comes_back_first() {
    on_both(|place| {
        let mut one = place.campaign_with(&[Some(4)], "block-lease=1ms");
        one.ask(&[(0, 4)]);
        sleep(Duration::from_millis(20));
        one.work(0, 2);
        assert_eq!(one.ask(&[]).lost, []);
        let mut other = place.join(&one);
        let granted = one.held[0];
        // The process was killed and started again: it continues the block.
        other.held.push(granted);
        other.work(0, 4);
        assert!(other.ask(&[]).finished);
    });
}

#[test]
fn a_repeated_exchange_changes_nothing() {
    on_both(|place| {
        let mut one = place.campaign(&[Some(3), Some(3)]);
        one.ask(&[(0, 3), (1, 3)]);
        one.work(0, 3);
        one.work(1, 2);
        let news = Outgoing { progress: one.held.clone(), ..Outgoing::default() };
        let first = one.store.exchange(one.id, &news).unwrap();
        let totals = one.store.totals(one.campaign).unwrap();
        let second = one.store.exchange(one.id, &news).unwrap();
        assert_eq!((first.lost, second.lost), (vec![], vec![]));
        assert_eq!(one.store.totals(one.campaign).unwrap(), totals);
        assert_eq!((totals.cases, &*totals.turns), (50, &[3, 2][..]));
        // An older message that arrives late takes nothing back.
        one.held.remove(0);
        one.held[0].done = 1;
        one.ask(&[]);
        assert_eq!(one.store.totals(one.campaign).unwrap(), totals);
    });
}

#[test]
fn a_process_that_leaves_frees_its_blocks_and_its_last_progress_counts() {
    on_both(|place| {
        let mut one = place.campaign(&[Some(6)]);
        one.ask(&[(0, 6)]);
        one.work(0, 2);
        one.exchange(leaves());
        let mut other = place.join(&one);
        let members = one.store.members(one.campaign).unwrap();
        assert_eq!(members.iter().map(|member| member.left).collect::<Vec<_>>(), [true, false]);
        assert_eq!(turns(&other.ask(&[(0, 6)])), [(0, 2, 6)]);
        other.work(0, 6);
        let answer = other.ask(&[(0, 1)]);
        assert!(answer.finished && answer.exhausted == [0]);
        assert_eq!(other.store.totals(other.campaign).unwrap().cases, 60);
    });
}

#[test]
fn who_is_not_there_cannot_take_part() {
    on_both(|place| {
        let mut one = place.campaign(&[None]);
        let error = one.store.exchange(store::shared::MemberId(1 << 40), &Outgoing::default()).unwrap_err();
        assert!(error.is_lasting(), "{error}");
        let error =
            one.store.enter(store::shared::CampaignId(1 << 40), &crate::places::member()).unwrap_err();
        assert!(error.is_lasting(), "{error}");
    });
}

/// Works until the campaign is finished, and forgets what it does now and then.
fn rush(mut process: Process, forgets: u64) -> u64 {
    let mut rounds = 0;
    loop {
        rounds += 1;
        for place in 0..process.held.len() {
            let held = process.held[place];
            process.work(place, held.block.end.min(held.done + rounds % 3));
        }
        if rounds % forgets == 0 {
            process.held.clear();
        }
        if process.ask(&[(0, 3), (1, 2)]).finished {
            return rounds;
        }
    }
}

#[test]
fn many_processes_that_lose_their_blocks_make_every_case_once() {
    on_both(|place| {
        let one = place.campaign(&[Some(60), Some(41)]);
        let processes: Vec<Process> = (0..6).map(|_| place.join(&one)).collect();
        std::thread::scope(|scope| {
            for (number, process) in processes.into_iter().enumerate() {
                scope.spawn(move || rush(process, 5 + number as u64));
            }
        });
        let totals = place.join(&one).store.totals(one.campaign).unwrap();
        let expected = (0..60).chain(0..41).map(digest).fold(0, u64::wrapping_add);
        assert_eq!((totals.cases, totals.digest, totals.turns), (1010, expected, vec![60, 41]));
    });
}
