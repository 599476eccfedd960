import type { DomainMessages } from "./en.ts";

export const domainsAr: DomainMessages = {
  domains_title: "نطاقاتك",
  domains_lede: "النطاقات التي تؤدي إلى {brand} وتلك التي قيد الإعداد.",
  domains_add: "إضافة نطاق آخر",
  domains_show: "نطاقاتك",
  domains_live: "متصل",
  domains_progress: "قيد الإعداد",
  domains_attention: "يحتاج إلى انتباهك",
  domains_partner: "{domain} يؤدي إليه أيضًا",
  domains_visit: "زيارة",
  domains_continue: "متابعة",
  domains_fix: "إصلاح",
  domains_remove: "فصل",
  remove_title: "هل تريد فصل {domain}؟",
  remove_lede:
    "لن يصل زوار {domain} إلى {brand} بعد ذلك، ولن تُجدَّد الشهادة. يمكنك ربطه من جديد في أي وقت.",
  remove_dns: "تبقى سجلات DNS كما هي. احذفها بنفسك إذا لم تعد بحاجة إليها.",
  remove_keep: "الإبقاء عليه",
  remove_confirm: "فصل",
  remove_problem: "تعذّر الفصل. حاول مرة أخرى بعد قليل.",
  domains_removed: "تم الفصل.",
  pair_title: "هل تريد ربط {domain} أيضًا؟",
  pair_lede:
    "كثيرون يكتبون ‎www.‎ وكثيرون لا يكتبونها. العنوانان يؤديان إليك، ويبقى أحدهما ظاهرًا في المتصفح.",
  pair_both: "كلاهما، ويبقى الزوار على {domain}",
  pair_single: "{domain} فقط",
  pair_in_use: "يعرض {domain} شيئًا آخر حاليًا. عند اختيار كليهما سيُستبدل.",
  pair_next: "تمت الموافقة على {done}. وافق الآن على {domain} بالطريقة نفسها.",
  pair_one_by_one: "يوافق مزوّدك على اسم واحد في كل مرة: {domain} الآن، ثم {other} مباشرة.",
  pair_change_leads: "سيؤدي {domain} و{other} إلى {brand}",
  taken_title: "{domain} مربوط بالفعل",
  taken_lede:
    "إنه تابع لحساب آخر، ربما حساب قديم لك. إن كان لك فأثبت ذلك: أضف سجل DNS واحدًا، وعلى الحساب الآخر أن يثبته أيضًا وإلا فقده.",
  taken_drifted:
    "كان تابعًا لحساب آخر، لكنه لم يعد يؤدي إليه. أثبت بسجل DNS واحد أنه لك فينتقل إليك.",
  taken_support: "لست متأكدًا؟",
  taken_contact: "تواصل مع {brand}",
};
